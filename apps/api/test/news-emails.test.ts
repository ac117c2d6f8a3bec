import { type MailServer, type ReceivedEmail, startMailServer } from '@rtr/dev-stack/mail-server';
import { limits } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { afterAll, assert, beforeEach, describe, expect, it } from 'vitest';
import { createSweeps } from '../src/app.ts';
import { getCollections } from '../src/database/collections.ts';
import { UnavailableError } from '../src/errors.ts';
import { createMailServer } from '../src/news/mail-server.ts';
import { bearer } from './support/bearer.ts';
import { createConversationTest } from './support/conversations.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const received: ReceivedEmail[] = [];
let reject: (step: 'recipient' | 'email', to: string) => number | undefined = () => undefined;
const startServer = (port?: number) =>
  startMailServer({
    ...(port !== undefined && { port }),
    onEmail: (email) => void received.push(email),
    reject: (step, to) => reject(step, to),
  });
let server: MailServer = await startServer();
afterAll(() => server.stop());

const origin = 'https://kitchen.example';
const app = await createTestApp({
  env: { ...server.env, WEB_ORIGINS: origin },
});
const { api, db, config, identity, metrics, signUp, callFirebaseAsAdmin } = app;
const { begin, addService } = createConversationTest(app);
const collections = getCollections(db);
const { inboxes, reviews } = collections;
const minuteMs = 60_000;
const mail = config.mail ?? assert.fail();

const author = await signUp({ name: 'Omar' });
beforeEach(async () => {
  received.length = 0;
  reject = () => undefined;
  await inboxes.deleteMany({});
});

/** Creates the sweep of one API instance. */
const createEmailSweep = (given = identity, changes: { shutdownSignal?: AbortSignal } = {}) => {
  const options = { mailServer: createMailServer(mail), countEmail: metrics.countEmail, ...changes };
  return createSweeps(db, given, config.webOrigins, options).at(-1) ?? assert.fail();
};
const sweepAt = createEmailSweep();
/** Runs the sweep as if these minutes had passed. */
const sweepAfter = (minutes: number, sweep = sweepAt) => sweep(() => Date.now() + minutes * minuteMs);

const setEmails = (customer: TestCustomer, isOn: boolean) =>
  api.put('/account/emails').set(bearer(customer)).send({ isOn }).expect(200);
const verify = ({ uid }: TestCustomer) => callFirebaseAsAdmin('update', { localId: uid, emailVerified: true });

/** Creates a lister with a verified address, who has a service and has switched emails on. */
async function createReader({ isVerified = true, title = 'Hood repair' } = {}) {
  const reader = await signUp({ name: 'Mina Duct' });
  if (isVerified) await verify(reader);
  const service = await addService(reader, { title });
  await setEmails(reader, true);
  return { reader, service };
}
const addReview = async (serviceId: string, by = author) =>
  (await api.post('/review').set(bearer(by)).send({ serviceId, review: 'Secret words', rating: 4 }).expect(201)).body
    .insertedId as string;
const markSeen = (reader: TestCustomer) =>
  api.post('/news/seen').set(bearer(reader)).send({ until: new Date().toISOString() }).expect(204);
const oneClick = (email: ReceivedEmail | undefined) =>
  new URL(/^<(.*)>$/.exec(email?.headers['list-unsubscribe'] ?? '')?.[1] ?? '').pathname.replace(/^\/api/, '');

describe('an email about news', () => {
  it('is sent when an entry was unread for 15 minutes, and contains all entries with links but no content', async () => {
    const { reader, service } = await createReader();
    const review = await addReview(service);
    const request = await begin(author, service, { text: 'Private words' });
    await sweepAfter(14);
    expect(received).toEqual([]);
    await sweepAfter(20);
    const [email = assert.fail(), ...others] = received;
    expect(others).toEqual([]);
    expect(email.to).toBe(reader.email);
    expect(email.subject).toBe('2 new things at RTR Cloud Kitchen');
    const place = `${origin}/services/${service}#review-${review}`;
    expect(email.text).toContain(
      `Omar sent you a message about Hood repair.\n${origin}/requests/${request}#newest\n\nOmar reviewed Hood repair with 4 stars.\n${place}\n`,
    );
    expect(email.text).toContain(`See your news: ${origin}/news`);
    expect(email.html).toContain(`href="${place}"`);
    expect(email.html).toContain('<bdi>Omar</bdi> reviewed <bdi>Hood repair</bdi> with 4 stars.</a>');
    expect(email.text + email.html).not.toMatch(/Secret|Private/);
    expect(email.headers).toMatchObject({
      from: 'RTR Cloud Kitchen <news@kitchen.example>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'auto-submitted': 'auto-generated',
    });
  });

  it('is sent at most once an hour, and contains no entry twice', async () => {
    const { service } = await createReader();
    await addReview(service);
    await sweepAfter(20);
    await addReview(service);
    for (const minutes of [21, 40, 79]) await sweepAfter(minutes);
    expect(received).toHaveLength(1);
    await sweepAfter(81);
    expect(received.map(({ subject }) => subject)).toEqual(Array(2).fill('1 new thing at RTR Cloud Kitchen'));
    for (const minutes of [142, 300]) await sweepAfter(minutes);
    expect(received).toHaveLength(2);
  });

  it('is not sent for news that the customer has seen, or that is older than the switch', async () => {
    const { reader, service } = await createReader();
    await addReview(service);
    await markSeen(reader);
    await sweepAfter(20);
    await setEmails(reader, false);
    await addReview(service);
    await setEmails(reader, true);
    await sweepAfter(40);
    expect(received).toEqual([]);
  });

  it('is not sent while emails are off, which they are by default', async () => {
    const reader = await signUp();
    await verify(reader);
    const service = await addService(reader);
    await addReview(service);
    await sweepAfter(20);
    await setEmails(reader, true);
    await addReview(service);
    await setEmails(reader, false);
    await sweepAfter(40);
    expect(received).toEqual([]);
  });

  it('is not sent to an address that is not verified, until it is verified', async () => {
    const { reader, service } = await createReader({ isVerified: false });
    await addReview(service);
    await sweepAfter(20);
    await verify(reader);
    await sweepAfter(79);
    expect(received).toEqual([]);
    await sweepAfter(81);
    expect(received.map(({ to }) => to)).toEqual([reader.email]);
  });

  it('is not sent to a disabled or deleted customer', async () => {
    const disabled = await createReader();
    const deleted = await createReader();
    for (const { service } of [disabled, deleted]) await addReview(service);
    await callFirebaseAsAdmin('update', { localId: disabled.reader.uid, disableUser: true });
    const idToken = await app.signIn(deleted.reader);
    await api.delete('/account').set(bearer(idToken)).expect(200);
    expect(await inboxes.countDocuments({ _id: deleted.reader.uid })).toBe(0);
    await sweepAfter(20);
    expect(received).toEqual([]);
  });

  it(`contains the newest ${limits.newsPerEmail} entries, and says how many more there are`, async () => {
    const { service } = await createReader();
    const template = await reviews.findOne({ _id: new ObjectId(await addReview(service)) });
    const added = Array.from({ length: 24 }, () => ({ ...(template ?? assert.fail()), _id: new ObjectId() }));
    await reviews.insertMany(added);
    await sweepAfter(20);
    const [email = assert.fail()] = received;
    expect(email.subject).toBe('25 new things at RTR Cloud Kitchen');
    expect(email.text.match(/Omar reviewed/g)).toHaveLength(limits.newsPerEmail);
    expect(email.text).toContain('\nAnd 5 more.\n');
    expect(email.html).toContain('And 5 more.');
    await reviews.insertMany(
      added.flatMap((row) => Array.from({ length: 5 }, () => ({ ...row, _id: new ObjectId(), createdAt: new Date() }))),
    );
    await sweepAfter(81);
    expect(received[1]?.subject).toBe('99+ new things at RTR Cloud Kitchen');
  });

  it('escapes names and titles, and keeps each on one line', async () => {
    const { service } = await createReader({
      title: 'Hood\r\nBcc: x@evil.example\n\u202e<script>alert(1)</script> & "Co"',
    });
    await addReview(service, await signUp({ name: `<img src=x onerror='a'>` }));
    await sweepAfter(20);
    const [email = assert.fail()] = received;
    expect(email.html).toContain('&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Co&quot;');
    expect(email.html).toContain('<bdi>&lt;img src=x onerror=&#39;a&#39;&gt;</bdi>');
    expect(email.html).not.toMatch(/<script|<img/);
    expect(email.text).toContain(
      `<img src=x onerror='a'> reviewed Hood Bcc: x@evil.example <script>alert(1)</script> & "Co" with 4 stars.\n`,
    );
    expect(email.headers.bcc).toBeUndefined();
    expect(email.subject).toBe('1 new thing at RTR Cloud Kitchen');
  });
});

describe('the sweep that sends emails', () => {
  it('sends each email once, even if two instances run it at the same time', async () => {
    const readers = await Promise.all(Array.from({ length: 6 }, () => createReader()));
    for (const { service } of readers) await addReview(service);
    await Promise.all([sweepAfter(20), sweepAfter(20, createEmailSweep()), sweepAfter(20, createEmailSweep())]);
    expect(received.map(({ to }) => to).toSorted()).toEqual(readers.map(({ reader }) => reader.email).toSorted());
    await sweepAfter(26);
    expect(received).toHaveLength(readers.length);
  });

  it('sends an email once even if the emails before it take longer than a lease', async () => {
    const readers = [await createReader(), await createReader()];
    for (const { service } of readers) await addReview(service);
    let minutes = 20;
    const sweep = (sweepOnce = sweepAt) => sweepOnce(() => Date.now() + minutes * minuteMs);
    let other: Promise<unknown> | undefined;
    reject = (step) => {
      if (step === 'recipient') {
        // The first email takes 6 minutes. While the second one is sent, another instance looks for due emails.
        if (minutes === 20) minutes = 26;
        else other ??= sweep(createEmailSweep());
      }
      return undefined;
    };
    await sweep();
    await other;
    expect(other).toBeDefined();
    const second = received.at(-1)?.to;
    expect(received.filter(({ to }) => to === second)).toHaveLength(1);
  });

  it('ends when the mail server cannot be reached, without an address in the error, and sends the emails once later', async () => {
    const readers = [await createReader(), await createReader()];
    for (const { service } of readers) await addReview(service);
    const { port } = new URL(server.env.SMTP_URL);
    await server.stop();
    const failure = await sweepAfter(20).then(
      () => assert.fail(),
      (error: AggregateError) => error,
    );
    // The second email was not tried.
    expect(failure.errors).toEqual([expect.any(UnavailableError)]);
    expect(String(failure.errors)).toMatch(
      /The mail server cannot be used \(ESOCKET|The mail server cannot be used \(ECONN/,
    );
    expect(JSON.stringify([failure, failure.errors, String(failure.errors[0]?.cause)])).not.toContain('@');
    server = await startServer(Number(port));
    await sweepAfter(26);
    await sweepAfter(32);
    expect(received.map(({ to }) => to).toSorted()).toEqual(readers.map(({ reader }) => reader.email).toSorted());
  });

  it('if the API crashed before it recorded that an email was accepted, sends it again, with the same Message-ID if there is no newer news', async () => {
    const { service } = await createReader();
    await addReview(service);
    const before = await inboxes.findOne({});
    /** Sends an email, and then restores the state after a crash, in which only the lease was written. */
    const crashAfterSending = async (minutes: number) => {
      await sweepAfter(minutes);
      const sentUntil = before?.emails?.sentUntil ?? assert.fail();
      const nextCheckAt = new Date(Date.now() + (minutes + 5) * minuteMs);
      await inboxes.updateOne({}, { $set: { emails: { sentUntil, nextCheckAt } } });
    };
    await crashAfterSending(20);
    await crashAfterSending(26);
    await addReview(service);
    await sweepAfter(32);
    const [first, second, third, ...others] = received.map(({ headers }) => headers['message-id']);
    expect(first).toMatch(/^<[0-9a-f]{32}@kitchen\.example>$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(others).toEqual([]);
  });

  it.each([
    ['recipient', 550],
    ['email', 554],
  ] as const)(
    'tries an address again after a day if the mail server refuses the %s with %i',
    async (refusedStep, code) => {
      const refused = await createReader();
      const other = await createReader();
      for (const { service } of [refused, other]) await addReview(service);
      reject = (step, to) => (step === refusedStep && to === refused.reader.email ? code : undefined);
      await sweepAfter(20);
      expect(received.map(({ to }) => to)).toEqual([other.reader.email]);
      reject = () => undefined;
      await sweepAfter(23 * 60);
      expect(received).toHaveLength(1);
      await sweepAfter(25 * 60);
      expect(received.map(({ to }) => to)).toEqual([other.reader.email, refused.reader.email]);
    },
  );

  it('tries an address again after a few minutes if the mail server rejects it temporarily, and goes on with the others', async () => {
    const delayed = await createReader();
    const other = await createReader();
    for (const { service } of [delayed, other]) await addReview(service);
    reject = (step, to) => (step === 'recipient' && to === delayed.reader.email ? 450 : undefined);
    await sweepAfter(20);
    expect(received.map(({ to }) => to)).toEqual([other.reader.email]);
    reject = () => undefined;
    await sweepAfter(26);
    expect(received.map(({ to }) => to)).toEqual([other.reader.email, delayed.reader.email]);
  });

  it('ends when the mail server shuts down or Firebase is away, and sends the email later', async () => {
    const { service } = await createReader();
    await addReview(service);
    reject = () => 421;
    await expect(sweepAfter(20)).rejects.toThrow('Some emails about news were not sent');
    reject = () => undefined;
    const away = { ...identity, findVerifiedEmail: () => Promise.reject(new UnavailableError('Firebase is away', 1)) };
    await expect(sweepAfter(26, createEmailSweep(away))).rejects.toThrow('Some emails about news were not sent');
    expect(received).toEqual([]);
    await sweepAfter(32);
    expect(received).toHaveLength(1);
  });

  it('sends no email when the shutdown of the API has started', async () => {
    const { service } = await createReader();
    await addReview(service);
    await sweepAfter(20, createEmailSweep(identity, { shutdownSignal: AbortSignal.abort() }));
    expect(received).toEqual([]);
    await sweepAfter(21);
    expect(received).toHaveLength(1);
  });

  it('counts the emails that were sent, refused or failed', async () => {
    const counts = async () =>
      ['sent', 'refused', 'failed'].map(async (result) =>
        Number(new RegExp(`news_emails_total\\{result="${result}"\\} (\\d+)`).exec(await app.readMetrics())?.[1] ?? 0),
      );
    const before = await Promise.all(await counts());
    const { service } = await createReader();
    await addReview(service);
    reject = () => 421;
    await expect(sweepAfter(20)).rejects.toThrow('Some emails about news were not sent');
    reject = () => 450;
    await sweepAfter(26);
    reject = () => 550;
    await sweepAfter(32);
    reject = () => undefined;
    await sweepAfter(26 * 60);
    expect((await Promise.all(await counts())).map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 2]);
  });

  it('sends no password to a mail server without TLS', async () => {
    const insecure = createMailServer({ ...mail, smtpUrl: mail.smtpUrl.replace('//', '//user:p%40ss@') });
    const email = { to: 'a@b.example', messageId: 'x@y', subject: 'x', text: 'x', html: 'x', headers: {} };
    await expect(insecure.send(email)).rejects.toThrow(UnavailableError);
    expect(received).toEqual([]);
  });
});

describe('the link to unsubscribe', () => {
  it('in the header of the email switches emails off with one POST request and no login', async () => {
    const { reader, service } = await createReader();
    await addReview(service);
    await sweepAfter(20);
    const path = oneClick(received[0]);
    expect(received[0]?.text).toContain(`Stop these emails: ${origin}${path}\n`);
    expect(received[0]?.html).toContain(`href="${origin}${path}"`);
    // Scanners of emails open links with GET.
    await api.get(path).expect(405);
    await api.get('/account/emails').set(bearer(reader)).expect(200, { isAvailable: true, isOn: true });
    for (let repetition = 0; repetition < 2; repetition += 1)
      await api.post(path).type('form').send('List-Unsubscribe=One-Click').expect(204);
    await api.get('/account/emails').set(bearer(reader)).expect(200, { isAvailable: true, isOn: false });
    await addReview(service);
    await sweepAfter(90);
    expect(received).toHaveLength(1);
    const key = path.split('/').at(-1) ?? '';
    await expect.poll(() => app.log.join('')).toContain('"path":"/unsubscribe/[key]"');
    expect(app.log.join('')).not.toContain(key);
  });

  it('of an old email also works after the customer has switched emails on again', async () => {
    const { reader, service } = await createReader();
    await addReview(service);
    await sweepAfter(20);
    await setEmails(reader, false);
    await setEmails(reader, true);
    await api.post(oneClick(received[0])).expect(204);
    await api.get('/account/emails').set(bearer(reader)).expect(200, { isAvailable: true, isOn: false });
  });

  it.each(['0'.repeat(32), 'short', '%00'])('with the unknown key %s returns 404', async (key) => {
    await createReader();
    await api.post(`/unsubscribe/${key}`).expect(404);
    expect(await inboxes.countDocuments({ emails: { $exists: true } })).toBe(1);
  });
});

describe('/account/emails', () => {
  it('is off by default, can be switched on repeatedly and off, and stores no address', async () => {
    const reader = await signUp();
    await api.get('/account/emails').set(bearer(reader)).expect(200, { isAvailable: true, isOn: false });
    await Promise.all([setEmails(reader, true), setEmails(reader, true)]);
    const [first] = await inboxes.find().toArray();
    await setEmails(reader, true);
    expect(await inboxes.find().toArray()).toEqual([first]);
    expect(JSON.stringify(first)).not.toContain('@');
    await markSeen(reader);
    await api.get('/account/emails').set(bearer(reader)).expect(200, { isAvailable: true, isOn: true });
    await setEmails(reader, false);
    await setEmails(reader, false);
    await api.get('/account/emails').set(bearer(reader)).expect(200, { isAvailable: true, isOn: false });
  });

  it('says that emails are not available if there is no mail server', async () => {
    const silent = await createTestApp();
    const reader = await silent.signUp();
    await silent.api.get('/account/emails').set(bearer(reader)).expect(200, { isAvailable: false, isOn: false });
  });

  it.each([{}, { isOn: 1 }, { isOn: true, uid: 'x' }])('rejects the body %j with 400', async (body) => {
    await api.put('/account/emails').set(bearer(author)).send(body).expect(400);
    expect(await inboxes.countDocuments()).toBe(0);
  });
});
