import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { fileURLToPath } from 'node:url';
import type { ModerationCase } from '@rtr/shared';
import { afterAll, assert, beforeAll, expect, inject, it, vi } from 'vitest';
import { createSweeps } from '../src/app.ts';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { createConversationTest } from './support/conversations.ts';
import { drawPicture } from './support/draw-picture.ts';
import { createModerationTest, JWT_SECRETS } from './support/moderation.ts';
import type { RequestMessage } from './support/stopping-api.ts';
import type { TestCustomer } from './support/test-app.ts';

const { api, db, config, identity, operate, signUp, signIn, people, insert, report } = await createModerationTest();
const { services, reviews, reports, cases, conversations, messages } = getCollections(db);
const { begin, read: readConversation, list, uploadPrivate } = createConversationTest({ api });

interface Attempt {
  method: 'POST' | 'DELETE';
  path: string;
  token: string;
  body?: object;
  /** The moderation case of an action of a moderator. The body must contain its version. */
  caseId?: string;
  /** Reads what the operation changes. Each value is true after the operation, and false before it. */
  readEffects: () => Promise<Record<string, boolean>>;
}

interface Operation {
  /** The number of steps after which the operation is recorded, so that a sweep finishes it. */
  recordedAfter: number;
  prepare: () => Promise<Attempt>;
}

let width = 8;
/** Uploads a picture that nobody has uploaded before. */
async function upload(customer: TestCustomer) {
  width += 1;
  const body = await drawPicture(width).png().toBuffer();
  const headers = { ...bearer(customer), 'Content-Type': 'image/png' };
  const uploaded = await api.post('/pictures').set(headers).send(body).expect(201);
  const { url } = uploaded.body as { url: string };
  return { url, isGone: async () => (await statusOf(new URL(url).pathname)) === 404 };
}
const statusOf = async (path: string) => (await api.get(path)).status;
const read = async (path: string) => (await api.get(path).expect(200)).body;
const addService = (fields: object = {}, lister = people.lister) =>
  insert('/services', lister, { title: 'Hood repair', ...fields });
const addReview = (serviceId: string, fields: object = {}, author = people.author) =>
  insert('/review', author, { serviceId, review: 'They came at night.', rating: 2, ...fields });
const moderate = (caseId: string, body: object) => ({
  method: 'POST' as const,
  path: `/moderation/${caseId}`,
  token: people.moderator.jwt,
  body: { reason: 'A face', ...body },
  caseId,
});
const isOpen = async (caseId: string) => (await cases.countDocuments({ _id: caseId, status: 'open' })) === 1;

const operations: Record<string, Operation> = {
  'the removal of the picture of a service': {
    recordedAfter: 2, // The first step adds the action to the audit log, and the second one adds it to the case.
    async prepare() {
      const picture = await upload(people.lister);
      const id = await addService({ img: picture.url });
      const review = await addReview(id);
      await report(`/services/${id}`, 'picture').expect(201);
      return {
        ...moderate(`service-${id}`, { action: 'hide', part: 'picture' }),
        readEffects: async () => ({
          serviceHasNone: (await read(`/services/${id}`)).img === '',
          reviewHasNone: (await read(`/review/${review}`)).img === '',
          fileIsGone: await picture.isGone(),
        }),
      };
    },
  },
  'the removal of the photos of a review': {
    recordedAfter: 2,
    async prepare() {
      const picture = await upload(people.author);
      const id = await addReview(await addService(), { photos: [{ url: picture.url }] });
      await report(`/review/${id}`, 'picture').expect(201);
      return {
        ...moderate(`review-${id}`, { action: 'hide', part: 'picture' }),
        readEffects: async () => ({
          reviewHasNone: !('photos' in (await read(`/review/${id}`))),
          fileIsGone: await picture.isGone(),
        }),
      };
    },
  },
  'the hiding of a review': {
    recordedAfter: 2,
    async prepare() {
      const service = await addService();
      const id = await addReview(service);
      await report(`/review/${id}`).expect(201);
      return {
        ...moderate(`review-${id}`, { action: 'hide' }),
        readEffects: async () => ({
          isHidden: (await statusOf(`/review/${id}`)) === 404,
          doesNotCount: (await read(`/services/${service}`)).reviewCount === 0,
        }),
      };
    },
  },
  'the restoring of a hidden review': {
    recordedAfter: 2,
    async prepare() {
      const service = await addService();
      const id = await addReview(service);
      await report(`/review/${id}`).expect(201);
      await operate('hide', 'review', id);
      return {
        ...moderate(`review-${id}`, { action: 'restore' }),
        readEffects: async () => ({
          isPublic: (await statusOf(`/review/${id}`)) === 200,
          counts: (await read(`/services/${service}`)).reviewCount === 1,
        }),
      };
    },
  },
  'the hiding of a service': {
    recordedAfter: 2,
    async prepare() {
      const id = await addService();
      await report(`/services/${id}`).expect(201);
      return {
        ...moderate(`service-${id}`, { action: 'hide' }),
        readEffects: async () => ({ isHidden: (await statusOf(`/services/${id}`)) === 404 }),
      };
    },
  },
  'the deletion of a review': {
    recordedAfter: 1,
    async prepare() {
      const service = await addService();
      const id = await addReview(service);
      return {
        method: 'DELETE',
        path: `/review/${id}`,
        token: people.author.jwt,
        readEffects: async () => ({
          isDeleted: (await statusOf(`/review/${id}`)) === 404,
          doesNotCount: (await read(`/services/${service}`)).reviewCount === 0,
        }),
      };
    },
  },
  'the adding of a review': {
    recordedAfter: 1,
    async prepare() {
      const serviceId = await addService();
      return {
        method: 'POST',
        path: '/review',
        token: people.author.jwt,
        body: { serviceId, review: 'They came at noon.', rating: 4 },
        readEffects: async () => ({
          isPublic: (await read(`/allreview?serviceId=${serviceId}`)).length === 1,
          counts: (await read(`/services/${serviceId}`)).averageRating === 4,
        }),
      };
    },
  },
  'the withdrawal of a service': {
    recordedAfter: 1,
    async prepare() {
      const id = await addService();
      const review = await addReview(id);
      return {
        method: 'DELETE',
        path: `/services/${id}`,
        token: people.lister.jwt,
        readEffects: async () => ({
          isWithdrawn: (await statusOf(`/services/${id}`)) === 404,
          hidesReviews: (await statusOf(`/review/${review}`)) === 404,
        }),
      };
    },
  },
  'the deletion of an account': {
    recordedAfter: 1,
    async prepare() {
      const customer = await signUp({ name: 'Leaving' });
      const { uid } = customer;
      const [own, theirs] = [await addService({}, customer), await addService()];
      await addReview(theirs, {}, customer);
      const [ofOwn, ofTheirs] = [await addReview(own), await addReview(theirs)];
      await api.put(`/review/${ofOwn}/reply`).set(bearer(customer)).send({ text: 'At noon.' }).expect(200);
      await api.put(`/review/${ofTheirs}/useful`).set(bearer(customer)).expect(200);
      await api.post(`/review/${ofTheirs}/report`).set(bearer(customer)).send({ reason: 'spam' }).expect(201);
      const picture = await upload(customer);
      const staying = await signUp({ name: 'Staying' });
      const photos = [{ id: await uploadPrivate(customer, 8) }];
      const conversation = await begin(customer, await addService({}, staying), { text: 'Hello', photos });
      await begin(staying, own);
      return {
        method: 'DELETE',
        path: '/account',
        token: customer.idToken,
        readEffects: async () => ({
          hasNoReviews: (await reviews.countDocuments({ uid })) === 0,
          doesNotCount: (await read(`/services/${theirs}`)).reviewCount === 1,
          hasNoServices: (await services.countDocuments({ createdBy: uid })) === 0,
          hasNoReplies: !('reply' in (await read(`/review/${ofOwn}`))),
          hasNoVotes: (await read(`/review/${ofTheirs}`)).usefulCount === 0,
          hasNoReports: (await reports.countDocuments({ uid })) === 0,
          hasNoPictures: await picture.isGone(),
          isNotInConversations: (await conversations.countDocuments({ participants: uid })) === 0,
          closesConversations: (await list(staying)).every(
            ({ status, other }) => status === 'closed' && other.isClosed,
          ),
          hasNoPhotosInMessages: !('photos' in ((await readConversation(staying, conversation)).messages[0] ?? {})),
          cannotLogIn: await signIn(customer).then(
            () => false,
            () => true,
          ),
        }),
      };
    },
  },
  'the beginning of a conversation': {
    recordedAfter: 2, // The first step stores the message, and the second one the conversation.
    async prepare() {
      const id = await addService();
      return {
        method: 'POST',
        path: `/services/${id}/requests`,
        token: people.author.jwt,
        body: { text: `About ${id}` },
        readEffects: async () => ({
          isListed: (await list(people.author, `?serviceId=${id}`)).length === 1,
          isUnread: (await list(people.lister, `?unread=1&serviceId=${id}`)).length === 1,
          hasMessage: (await messages.countDocuments({ text: `About ${id}`, isPending: { $exists: false } })) === 1,
        }),
      };
    },
  },
  'the sending of a message': {
    recordedAfter: 1,
    async prepare() {
      const service = await addService();
      const id = await begin(people.author, service);
      return {
        method: 'POST',
        path: `/requests/${id}/messages`,
        token: people.lister.jwt,
        body: { text: 'From $100' },
        readEffects: async () => ({
          isUnread: (await list(people.author, `?unread=1&serviceId=${service}`)).length === 1,
          isCounted: (await readConversation(people.author, id)).messageCount === 2,
          isRead: (await readConversation(people.author, id)).messages.length === 2,
          isNewest: (await readConversation(people.author, id)).lastMessage.excerpt === 'From $100',
        }),
      };
    },
  },
  'the hiding of a message': {
    recordedAfter: 2,
    async prepare() {
      const id = await begin(people.author, await addService(), { text: 'Thieves' });
      const message = (await readConversation(people.lister, id)).messages[0]?._id ?? '';
      await api.post(`/messages/${message}/report`).set(bearer(people.lister)).send({ reason: 'abuse' }).expect(201);
      return {
        ...moderate(`message-${message}`, { action: 'hide' }),
        readEffects: async () => {
          const { messages: found, lastMessage } = await readConversation(people.author, id);
          return { isHidden: found[0]?.isHidden === true, hasNoExcerpt: lastMessage.excerpt === '' };
        },
      };
    },
  },
  'a report': {
    recordedAfter: 1,
    async prepare() {
      const id = await addReview(await addService());
      return {
        method: 'POST',
        path: `/review/${id}/report`,
        token: people.reader.jwt,
        body: { reason: 'spam' },
        readEffects: async () => ({
          isStored: (await reports.countDocuments({ caseId: `review-${id}`, version: { $ne: null } })) === 1,
          opensTheCase: await isOpen(`review-${id}`),
        }),
      };
    },
  },
  'the request of an author for another look': {
    recordedAfter: 1,
    async prepare() {
      const id = await addReview(await addService());
      await operate('hide', 'review', id);
      return {
        method: 'POST',
        path: `/review/${id}/appeal`,
        token: people.author.jwt,
        body: { text: 'It is true.' },
        readEffects: async () => ({
          isStored: (await reports.countDocuments({ caseId: `review-${id}`, version: { $ne: null } })) === 1,
          opensTheCase: await isOpen(`review-${id}`),
        }),
      };
    },
  },
};

let child: ChildProcess;
let origin: string;
const onMessage = new Map<string, (message: RequestMessage) => void>();

async function startApi(): Promise<void> {
  child = fork(fileURLToPath(new URL('support/stopping-api.ts', import.meta.url)), {
    env: {
      MONGODB_URI: inject('mongodbUri'),
      MONGODB_DATABASE: config.mongodbDatabase,
      FIREBASE_AUTH_EMULATOR_HOST: inject('authEmulatorHost'),
      RATE_LIMITS: 'off',
      JWT_SECRETS,
    },
  });
  [origin] = (await once(child, 'message')) as [string];
  child.on('message', (message: RequestMessage) => onMessage.get(message.name)?.(message));
}

async function versionOf(caseId: string): Promise<string | undefined> {
  const { body } = await api.get('/moderation?limit=100').set(bearer(people.moderator)).expect(200);
  return (body as ModerationCase[]).find(({ _id }) => _id === caseId)?.version;
}

/** Sends the request. Resolves when it has finished, or has stopped before the step `stopAt`. With 0, it does not stop. */
async function send({ method, path, token, body, caseId }: Attempt, stopAt = 0): Promise<RequestMessage> {
  const version = caseId && (await versionOf(caseId));
  const name = randomUUID();
  const sent = request(origin + path, {
    method,
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      'Request-Name': name,
      'Stop-At': String(stopAt),
    },
  });
  // A request that has stopped fails when the process is killed.
  sent.on('error', () => {}).on('response', (response) => response.resume());
  sent.end(JSON.stringify(caseId ? { ...body, version } : body));
  return new Promise((resolve) => onMessage.set(name, resolve));
}

/** For each operation, the result and the effects of an attempt that ran until its end. */
const completeAttempts: Record<string, RequestMessage & { effects: Record<string, boolean> }> = {};
/** For each operation, the attempts during which the process was killed: after 0 steps, after 1 step, and so on. */
const killedAttempts: Record<string, Attempt[]> = {};

beforeAll(async () => {
  await startApi();
  // The requests are sent one after the other. If many run at once, some wait too long for a database connection and get 503.
  for (const [name, { prepare }] of Object.entries(operations)) {
    const attempt = await prepare();
    const end = await send(attempt);
    completeAttempts[name] = { ...end, effects: await attempt.readEffects() };
    const attempts: Attempt[] = [];
    for (let stopAt = 1; stopAt <= end.stepCount; stopAt++) {
      const stopped = await prepare();
      const { status } = await send(stopped, stopAt);
      assert(status === undefined, `${name} got ${status} instead of stopping before step ${stopAt}`);
      attempts.push(stopped);
    }
    killedAttempts[name] = attempts;
  }
  child.kill('SIGKILL');
  await once(child, 'exit');

  // Some sweeps ignore changes of the last two minutes, because the requests that made them could still be running.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3 * 60_000 });
  for (const sweep of createSweeps(db, identity, config.webOrigins)) await sweep();
  vi.useRealTimers();
});
afterAll(() => child.kill('SIGKILL'));

const allAre = (effects: object, value: boolean) =>
  Object.fromEntries(Object.keys(effects).map((effect) => [effect, value]));

it.each(Object.entries(operations))(
  '%s is finished by the sweeps if the process was killed after any step, or has changed nothing',
  async (name, { recordedAfter }) => {
    const { status, effects } = completeAttempts[name] ?? assert.fail();
    expect(status).toBeLessThan(300);
    expect(effects).toEqual(allAre(effects, true));
    for (const [stepCount, attempt] of (killedAttempts[name] ?? []).entries()) {
      const found = await attempt.readEffects();
      expect(found, `killed after ${stepCount} steps`).toEqual(allAre(found, stepCount >= recordedAfter));
    }
  },
);
