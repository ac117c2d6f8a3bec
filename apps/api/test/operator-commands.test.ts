import { randomBytes } from 'node:crypto';
import { ObjectId } from 'mongodb';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { OperatorCommandError } from '../src/operations/operator-commands.ts';
import { runOperate } from '../src/run-operate.ts';
import { bearer } from './support/bearer.ts';
import { drawPicture } from './support/draw-picture.ts';
import { nextPagePath } from './support/references.ts';
import { runProgram } from './support/run-program.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const JWT_SECRETS = `a:${randomBytes(32).toString('base64')}`;
const { api, db, config, signUp, signIn, callFirebaseAsAdmin } = await createTestApp({ env: { JWT_SECRETS } });
const { services, reviews, audit } = getCollections(db);

async function operate(...args: string[]): Promise<{ code: number; output: string }> {
  try {
    return { code: 0, output: (await runOperate(config, args)).map((line) => `${line}\n`).join('') };
  } catch (error) {
    if (!(error instanceof OperatorCommandError)) throw error;
    return { code: 1, output: error.message };
  }
}

const env = {
  MONGODB_URI: inject('mongodbUri'),
  MONGODB_DATABASE: config.mongodbDatabase,
  FIREBASE_AUTH_EMULATOR_HOST: inject('authEmulatorHost'),
};
const byAndReason = ['--by', 'ana', '--reason', 'reported as spam'];
const operateSuccessfully = async (...args: string[]) =>
  expect(await operate(...args, ...byAndReason)).toMatchObject({ code: 0 });

let lister: TestCustomer;
let author: TestCustomer;
let service: string;
let review: string;
beforeEach(async () => {
  await Promise.all([services.deleteMany(), reviews.deleteMany(), audit.deleteMany()]);
  lister = await signUp();
  author = await signUp();
  service = (await api.post('/services').set(bearer(lister)).send({ title: 'Hood repair' }).expect(201)).body
    .insertedId;
  const input = { serviceId: service, review: 'They came at night.', rating: 2 };
  review = (await api.post('/review').set(bearer(author)).send(input).expect(201)).body.insertedId;
});

/** Returns the ids of the rows of a list. Checks that the complete list, its first page and its total agree. */
async function idsOf(path: string, headers = {}): Promise<string[]> {
  const ids = (rows: { _id: string }[]) => rows.map(({ _id }) => _id);
  const paged = `${path}${path.includes('?') ? '&' : '?'}limit=100`;
  const [whole, page] = await Promise.all([path, paged].map((place) => api.get(place).set(headers).expect(200)));
  expect(ids(page?.body)).toEqual(ids(whole?.body));
  expect(page?.headers['x-total-count']).toBe(String(whole?.body.length));
  return ids(whole?.body);
}

/** Inserts copies of a document, each older than the one before, and returns their ids. The ids have the reverse order. */
async function insertOlderCopies(name: 'services' | 'reviews', id: string, count: number): Promise<string[]> {
  const original = await db.collection(name).findOne({ _id: new ObjectId(id) });
  const copies = Array.from({ length: count }, (_, index) => ({
    ...original,
    _id: new ObjectId(),
    createdAt: new Date(original?.createdAt.getTime() - 1000 * (index + 1)),
  }));
  await db.collection(name).insertMany(copies);
  return copies.map(({ _id }) => _id.toHexString());
}

/** Returns the ids of the rows that `list-of` or `uses-of` prints. */
const printedIds = (output: string) =>
  output
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[1]);

describe('a hidden review', () => {
  const seen = async () => ({
    ofService: await idsOf(`/allreview?serviceId=${service}`),
    ofTwoStars: (await api.get(`/allreview?serviceId=${service}&rating=2`)).body.length,
    own: await idsOf(`/review?email=${author.email}`, bearer(author)),
    alone: (await api.get(`/review/${review}`)).status,
    toItsAuthor: (await api.get(`/review/${review}`).set(bearer(author))).status,
    counts: await api.get(`/services/${service}`).then(({ body }) => [body.reviewCount, body.averageRating]),
  });

  test('is excluded from public responses and from the review count and average rating of its service, until an operator restores it unchanged', async () => {
    const before = await seen();
    const stored = await reviews.findOne();
    expect(before).toMatchObject({ ofService: [review], own: [review], alone: 200, toItsAuthor: 200, counts: [1, 2] });
    await operateSuccessfully('hide', 'review', review);
    expect(await seen()).toEqual({
      ofService: [],
      ofTwoStars: 0,
      own: [review],
      alone: 404,
      toItsAuthor: 200,
      counts: [0, null],
    });
    const { body } = await api.get(`/review/${review}`).set(bearer(author)).expect(200);
    expect(body).toMatchObject({ hidden: { reason: 'reported as spam' } });
    await operateSuccessfully('restore', 'review', review);
    expect(await seen()).toEqual(before);
    expect(await reviews.findOne()).toEqual({ ...stored, recheckAt: expect.any(Date) });
  });

  test('cannot be edited, deleted or restored, and only its author gets the reason why', async () => {
    await operateSuccessfully('hide', 'review', review);
    const attempts = (customer: TestCustomer) => [
      api.patch(`/review/${review}`).set(bearer(customer)).send({ rating: 5 }),
      api.patch(`/review/${review}`).set(bearer(customer)).set('If-Match', '"0"').send({ rating: 5 }),
      api.delete(`/review/${review}`).set(bearer(customer)),
      api.post(`/review/${review}/restore`).set(bearer(customer)),
    ];
    for (const attempt of attempts(author))
      expect((await attempt.expect(403)).body.detail).toMatch(/^A moderator has hidden your review/);
    for (const attempt of attempts(await signUp())) await attempt.expect(404);
  });

  test('that its author has deleted is visible again only after both an operator and the author have restored it', async () => {
    await api.delete(`/review/${review}`).set(bearer(author)).expect(200);
    await operateSuccessfully('hide', 'review', review);
    await api.post(`/review/${review}/restore`).set(bearer(author)).expect(404);
    await operateSuccessfully('restore', 'review', review);
    expect(await idsOf(`/allreview?serviceId=${service}`)).toEqual([]);
    await api.post(`/review/${review}/restore`).set(bearer(author)).expect(200);
    expect(await idsOf(`/allreview?serviceId=${service}`)).toEqual([review]);
  });

  test('is erased when its author deletes their account', async () => {
    await operateSuccessfully('hide', 'review', review);
    const idToken = await signIn(author);
    await api.delete('/account').set(bearer(idToken)).expect(200);
    expect(await reviews.countDocuments()).toBe(0);
  });
});

test('a hidden service is excluded from all public responses and accepts no new reviews until it is restored', async () => {
  const seen = async () => ({
    all: await idsOf('/services'),
    sorted: await Promise.all(['title', 'price', 'rating'].map((sort) => idsFound(`/services?sort=${sort}`))),
    found: await idsFound('/services?q=hood'),
    alone: (await api.get(`/services/${service}`)).status,
    inSitemap: (await api.get('/sitemap.xml').expect(200)).text.includes(service),
  });
  const idsFound = async (path: string) => {
    const { body, headers } = await api.get(path).expect(200);
    expect(headers['x-total-count']).toBe(String(body.length));
    return body.length as number;
  };
  const before = await seen();
  expect(before).toEqual({ all: [service], sorted: [1, 1, 1], found: 1, alone: 200, inSitemap: true });
  await operateSuccessfully('hide', 'service', service);
  expect(await seen()).toEqual({ all: [], sorted: [0, 0, 0], found: 0, alone: 404, inSitemap: false });
  await api.post('/review').set(bearer(author)).send({ serviceId: service, review: 'More' }).expect(404);
  // Edit a review of the hidden service. After the service is restored, the new stars must count.
  await api.patch(`/review/${review}`).set(bearer(author)).send({ rating: 4 }).expect(200);
  await operateSuccessfully('restore', 'service', service.toUpperCase());
  expect(await seen()).toEqual(before);
  expect((await api.get(`/services/${service}`)).body.averageRating).toBe(4);
});

test('PATCH of a hidden service returns 403 to its lister and 404 to other customers. After its withdrawal, it returns 404 to everyone', async () => {
  await operateSuccessfully('hide', 'service', service);
  const edit = (customer: TestCustomer) =>
    api.patch(`/services/${service}`).set(bearer(customer)).send({ title: 'New' });
  expect((await edit(lister).expect(403)).body.detail).toMatch(/^A moderator has hidden your service/);
  await edit(author).expect(404);
  await api.delete(`/services/${service}`).set(bearer(lister)).expect(200);
  for (const customer of [lister, author]) await edit(customer).expect(404);
});

describe('the reviews of a hidden service', () => {
  let reader: TestCustomer;
  beforeEach(async () => {
    reader = await signUp();
  });

  test('are visible only to their authors, until the service is restored', async () => {
    const seen = async () => ({
      ofService: await idsOf(`/allreview?serviceId=${service}`),
      ofTwoStars: (await api.get(`/allreview?serviceId=${service}&rating=2`).expect(200)).body.length,
      toVisitors: (await api.get(`/review/${review}`)).status,
      toAnother: (await api.get(`/review/${review}`).set(bearer(reader))).status,
      changedByAnother: (await api.patch(`/review/${review}`).set(bearer(reader)).send({ rating: 1 })).status,
      deletedByAnother: (await api.delete(`/review/${review}`).set(bearer(reader))).status,
    });
    const before = await seen();
    expect(before).toMatchObject({ ofService: [review], toVisitors: 200, toAnother: 200, deletedByAnother: 403 });
    await operateSuccessfully('hide', 'service', service);
    expect(await seen()).toEqual({
      ofService: [],
      ofTwoStars: 0,
      toVisitors: 404,
      toAnother: 404,
      changedByAnother: 404,
      deletedByAnother: 404,
    });
    await operateSuccessfully('restore', 'service', service);
    expect(await seen()).toEqual(before);
  });

  test('can be listed, edited, deleted and restored by their authors', async () => {
    await operateSuccessfully('hide', 'service', service);
    const own = `/review?email=${author.email}`;
    expect(await idsOf(own, bearer(author))).toEqual([review]);
    expect(await idsOf(`${own}&serviceId=${service}`, bearer(author))).toEqual([review]);
    expect((await api.get(`/review/${review}`).set(bearer(author)).expect(200)).body.email).toBe(author.email);
    await api.patch(`/review/${review}`).set(bearer(author)).send({ review: 'They came.', rating: 5 }).expect(200);
    await api.delete(`/review/${review}`).set(bearer(author)).expect(200);
    expect(await idsOf(own, bearer(author))).toEqual([]);
    await api.post(`/review/${review}/restore`).set(bearer(author)).expect(200);
    await operateSuccessfully('restore', 'service', service);
    expect(await idsOf(`/allreview?serviceId=${service}`)).toEqual([review]);
    expect((await api.get(`/services/${service}`)).body).toMatchObject({ reviewCount: 1, averageRating: 5 });
  });

  test('are excluded from the next page of a list whose first page was read before the service was hidden', async () => {
    const more = { serviceId: service, review: 'And again.' };
    await api.post('/review').set(bearer(author)).send(more).expect(201);
    const path = `/allreview?serviceId=${service}&limit=1`;
    const next = nextPagePath(path, (await api.get(path).expect(200)).headers) ?? '';
    expect((await api.get(next).expect(200)).body).toHaveLength(1);
    await operateSuccessfully('hide', 'service', service);
    const { body, headers } = await api.get(next).expect(200);
    expect([body, headers.link, headers['x-total-count']]).toEqual([[], undefined, '0']);
  });
});

test('a disabled customer gets 401 until they are enabled again', async () => {
  const jwt = () => api.post('/jwt').set(bearer(author.idToken)).send({ email: author.email });
  await operateSuccessfully('disable', 'customer', author.email);
  expect((await jwt().expect(401)).body.detail).toContain('disabled');
  // Use another API instance, which has not cached the account status of this customer.
  const other = await createTestApp({ env: { JWT_SECRETS, MONGODB_DATABASE: config.mongodbDatabase } });
  const own = `/review?email=${author.email}`;
  expect((await other.api.get(own).set(bearer(author)).expect(401)).body.detail).toContain('disabled');
  await operateSuccessfully('enable', 'customer', author.uid);
  await jwt().expect(200);
});

describe('moderators', () => {
  const listModerators = async () => (await operate('moderators')).output.split('\n');

  test('are added by email or uid and removed by uid, with an entry in the audit log for each command', async () => {
    const { uid, email } = author;
    expect(await listModerators()).not.toContain(`${uid}  ${email}`);
    expect((await operate('add-moderator', email, ...byAndReason)).output).toBe(
      `The customer ${uid} is now a moderator.\n`,
    );
    expect((await operate('add-moderator', uid, ...byAndReason)).output).toBe(
      `The customer ${uid} is already a moderator.\n`,
    );
    expect(await listModerators()).toContain(`${uid}  ${email}`);
    expect((await operate('remove-moderator', uid, ...byAndReason)).output).toBe(
      `The customer ${uid} is now no moderator.\n`,
    );
    expect(await listModerators()).not.toContain(`${uid}  ${email}`);
    const { output } = await operate('log', '--last', '3');
    expect(
      output
        .trim()
        .split('\n')
        .map((line) => line.replace(/^\S+Z {2}/, '')),
    ).toEqual([
      `remove-moderator ${uid}  done  by ana: reported as spam`,
      `add-moderator ${uid}  already  by ana: reported as spam`,
      `add-moderator ${uid}  done  by ana: reported as spam`,
    ]);
  });

  test('keep the other custom claims of their account after the commands add-moderator and remove-moderator', async () => {
    await callFirebaseAsAdmin('update', { localId: author.uid, customAttributes: '{"team":"north"}' });
    const claimsOf = async () => {
      const [, payload = ''] = (await signIn(author)).split('.');
      return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    };
    await operateSuccessfully('add-moderator', author.uid);
    expect(await claimsOf()).toMatchObject({ team: 'north', moderator: true });
    await operateSuccessfully('remove-moderator', author.uid);
    const claims = await claimsOf();
    expect([claims.team, claims.moderator]).toEqual(['north', undefined]);
  });
});

describe('an operator command', () => {
  test('that hides a review or disables a customer can be repeated, and is recorded in the audit log with its operator and reason, without email addresses', async () => {
    expect((await operate('hide', 'review', review, ...byAndReason)).output).toBe(
      `The review ${review} is now hidden.\n`,
    );
    expect((await operate('hide', 'review', review, ...byAndReason)).output).toBe(
      `The review ${review} is already hidden.\n`,
    );
    await operateSuccessfully('disable', 'customer', author.email);
    await operateSuccessfully('disable', 'customer', author.uid);
    const { output } = await operate('log', '--last', '3');
    const lines = output.trim().split('\n');
    expect(lines.map((line) => line.replace(/^\S+Z {2}/, ''))).toEqual([
      `disable customer ${author.uid}  already  by ana: reported as spam`,
      `disable customer ${author.uid}  done  by ana: reported as spam`,
      `hide review ${review}  already  by ana: reported as spam`,
    ]);
    expect(await audit.countDocuments()).toBe(4);
    expect(JSON.stringify(await audit.find().toArray())).not.toContain(author.email);
    expect((await idsOf(`/allreview?serviceId=${service}`)).length).toBe(0);
  });

  test('prints its result and exits with 0, or prints the problem and exits with 1', async () => {
    expect(await runProgram('operate', ['hide', 'review', review, ...byAndReason], env)).toEqual({
      code: 0,
      stdout: `The review ${review} is now hidden.\n`,
      stderr: '',
    });
    expect(await runProgram('operate', ['hide', 'review', 'x', ...byAndReason], env)).toEqual({
      code: 1,
      stdout: '',
      stderr: `'x' is not an id: an id has 24 hexadecimal digits.\n`,
    });
  });

  test('prints the problem and changes nothing if its arguments are invalid', async () => {
    const before = await Promise.all([services.find().toArray(), reviews.find().toArray()]);
    const unknown = new ObjectId().toHexString();
    const invalidCommands: [string[], string][] = [
      [['hide', 'review', unknown, ...byAndReason], `There is no review ${unknown}.`],
      [['restore', 'service', unknown, ...byAndReason], `There is no service ${unknown}.`],
      [['hide', 'review', 'x', ...byAndReason], '24 hexadecimal digits'],
      [['hide', 'review', review], 'Say who you are and why'],
      [['hide', 'review', review, '--by', 'ana'], 'Say who you are and why'],
      [['hide', 'customer', author.uid, ...byAndReason], 'There is no such command'],
      [['hide', 'review', review, review, ...byAndReason], 'There is no such command'],
      [
        ['disable', 'customer', 'nobody@kitchen.example', ...byAndReason],
        'There is no customer nobody@kitchen.example.',
      ],
      [['disable', 'customer', 'no-such-uid', ...byAndReason], 'There is no customer no-such-uid.'],
      [['add-moderator', 'no-such-uid', ...byAndReason], 'There is no customer no-such-uid.'],
      [['add-moderator', author.uid], 'Say who you are and why'],
      [['remove-moderator', ...byAndReason], 'There is no such command'],
      [['hide', 'review', review, '--because', 'x'], 'operate hide service|review'],
      [[], 'operate log'],
    ];
    for (const [args, words] of invalidCommands) {
      const { code, output } = await operate(...args);
      expect([code, output]).toEqual([1, expect.stringContaining(words)]);
      expect(output).not.toContain('    at ');
    }
    expect(await Promise.all([services.find().toArray(), reviews.find().toArray()])).toEqual(before);
  });
});

describe('an uploaded picture', () => {
  let url: string;
  let id: string;
  let own: string;
  beforeEach(async () => {
    const bytes = await drawPicture(8).png().toBuffer();
    const headers = { ...bearer(author), 'Content-Type': 'image/png' };
    url = (await api.post('/pictures').set(headers).send(bytes).expect(201)).body.url;
    id = url.split('/').at(-1) ?? '';
    const added = await api.post('/services').set(bearer(author)).send({ title: 'Duct', img: url }).expect(201);
    own = added.body.insertedId;
    await api
      .patch(`/review/${review}`)
      .set(bearer(author))
      .send({ photos: [{ url }] })
      .expect(200);
  });

  test('can be looked up by its address: `uses-of` prints the customer who uploaded it, and the services and reviews that contain it', async () => {
    for (const address of [url, `${url}?w=320`, `/pictures/u/${id}`, id]) {
      const { code, output } = await operate('uses-of', address);
      expect([code, output.split('\n')]).toEqual([
        0,
        [
          expect.stringMatching(`^picture ${id}  \\S+  used  uploaded by customer ${author.uid}$`),
          expect.stringMatching(`^service ${own}  \\S+  shown  Duct$`),
          expect.stringMatching(`^review ${review}  \\S+  shown  Hood repair$`),
          '',
        ],
      ]);
    }
  });

  test('is printed by `uses-of` with the newest 100 services and the newest 100 reviews that contain it, newest first', async () => {
    const olderServices = await insertOlderCopies('services', own, 100);
    const olderReviews = await insertOlderCopies('reviews', review, 100);
    const { output } = await operate('uses-of', url);
    expect(printedIds(output)).toEqual([id, own, ...olderServices.slice(0, 99), review, ...olderReviews.slice(0, 99)]);
  });

  test('can be deleted if the operator knows its address, and the audit log records the deletion', async () => {
    await operateSuccessfully('delete', 'picture', url);
    await api.get(`/pictures/u/${id}`).expect(404);
    const entries = await audit.find().toArray();
    expect(entries).toMatchObject([{ action: 'delete picture', target: id, by: 'ana', outcome: 'done' }]);
    expect(await operate('delete', 'picture', url, ...byAndReason)).toMatchObject({
      code: 1,
      output: `There is no picture ${id}.`,
    });
    expect(await operate('uses-of', url)).toMatchObject({ code: 1 });
  });

  test('is not deleted if the operator gives no reason, or gives the address of a picture on another site', async () => {
    expect(await operate('delete', 'picture', url)).toMatchObject({ code: 1 });
    expect(await operate('delete', 'picture', 'https://pictures.example/1.png', ...byAndReason)).toMatchObject({
      code: 1,
      output: expect.stringContaining('not the address of an uploaded picture'),
    });
    await api.get(`/pictures/u/${id}`).expect(200);
  });
});

describe('the services and reviews of a customer', () => {
  test('are listed with their ids even if they are hidden, without the services and reviews of other customers', async () => {
    await operateSuccessfully('hide', 'review', review);
    const { output, code } = await operate('list-of', author.email);
    expect(code).toBe(0);
    const [{ createdAt } = {}] = await reviews.find().toArray();
    expect(output).toBe(`review ${review}  ${createdAt?.toISOString()}  hidden  Hood repair\n`);
  });

  test('are listed newest first, even if their ids have another order', async () => {
    const olderServices = await insertOlderCopies('services', service, 3);
    expect(printedIds((await operate('list-of', lister.uid)).output)).toEqual([service, ...olderServices]);
    const olderReviews = await insertOlderCopies('reviews', review, 3);
    expect(printedIds((await operate('list-of', author.uid)).output)).toEqual([review, ...olderReviews]);
  });

  test('are listed as deleted if their author deleted them', async () => {
    await api.delete(`/review/${review}`).set(bearer(author)).expect(200);
    expect((await operate('list-of', author.uid)).output).toMatch(/ {2}deleted {2}Hood repair\n$/);
  });

  test('are hidden by one command, with one entry in the audit log for each', async () => {
    const own = (await api.post('/services').set(bearer(author)).send({ title: 'Spam' }).expect(201)).body.insertedId;
    const { output, code } = await operate('hide-all-of', author.uid, ...byAndReason);
    expect([code, output.trim()]).toEqual([0, `Customer ${author.uid}: 2 are now hidden, 0 were already.`]);
    expect(await idsOf('/services')).toEqual([service]);
    expect(await idsOf(`/allreview?serviceId=${service}`)).toEqual([]);
    const entries = await audit.find().sort({ at: 1 }).toArray();
    expect(entries.map(({ action, target, outcome }) => [action, target, outcome])).toEqual([
      ['hide service', own, 'done'],
      ['hide review', review, 'done'],
    ]);
    expect((await operate('hide-all-of', author.uid, ...byAndReason)).output).toContain(
      '0 are now hidden, 2 were already',
    );
  });

  test('are listed and hidden by uid, even if the account was deleted in the Firebase console', async () => {
    const { uid } = author;
    await callFirebaseAsAdmin('delete', { localId: uid });
    expect((await operate('list-of', uid)).output).toContain(`review ${review}`);
    const { output } = await operate('hide-all-of', uid, ...byAndReason);
    expect(output.trim()).toBe(`Customer ${uid}: 1 are now hidden, 0 were already.`);
    expect(await idsOf(`/allreview?serviceId=${service}`)).toEqual([]);
  });

  test('are not hidden by a command without --by and --reason, or with an unknown customer', async () => {
    expect(await operate('hide-all-of', author.uid)).toMatchObject({ code: 1 });
    expect(await operate('hide-all-of', 'nobody', ...byAndReason)).toMatchObject({ code: 1 });
    expect(await idsOf(`/allreview?serviceId=${service}`)).toEqual([review]);
  });
});
