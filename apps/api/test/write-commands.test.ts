import type { RouteKey } from '@rtr/shared';
import { type CommandStartedEvent, ObjectId } from 'mongodb';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { hiddenDeletedAt } from '../src/database/documents/reviews.ts';
import { bearer } from './support/bearer.ts';
import { drawPicture } from './support/draw-picture.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

// Each database command of a write takes a round trip to the database. These tests fail when a command is added. The decision
// record docs/decisions/0004 says what each command of a new review is for.

const { api, db, apiClient, signUp, signIn, callFirebaseAsAdmin } = await createTestApp({ env: { RATE_LIMITS: 'on' } });

const commands: string[] = [];
const record = ({ commandName, command }: CommandStartedEvent) =>
  commands.push(`${commandName} ${String(command[commandName])}`);
afterAll(() => apiClient.off('commandStarted', record));

let lena: TestCustomer;
let omar: TestCustomer;
let pictures: string[];
beforeAll(async () => {
  [lena, omar] = await Promise.all([signUp({ name: 'Lena' }), signUp({ name: 'Omar' })]);
  await callFirebaseAsAdmin('update', { localId: omar.uid, customAttributes: '{"moderator":true}' });
  await api
    .post('/jwt')
    .set(bearer(await signIn(omar)))
    .send({ email: omar.email })
    .expect(200);
  // These requests make the API cache the status of both accounts, so later requests do not read it from the database.
  await api.get('/account/votes').set(bearer(lena)).expect(200);
  await api.get('/moderation').set(bearer(omar)).expect(200);
  const uploads = await Promise.all([8, 9].map((width) => upload(omar, width)));
  pictures = uploads.map(({ body }) => body.url);
  apiClient.on('commandStarted', record);
});

let serviceId: string;
beforeEach(async () => {
  await db.collection('limits').deleteMany();
  serviceId = (await addService().expect(201)).body.insertedId;
});

const addService = (fields: object = {}, key = '') =>
  api
    .post('/services')
    .set({ ...bearer(lena), ...(key && { 'Idempotency-Key': key }) })
    .send({ title: 'Hood repair', ...fields });
const addReview = (fields: object = {}, key = '') =>
  api
    .post('/review')
    .set({ ...bearer(omar), ...(key && { 'Idempotency-Key': key }) })
    .send({ serviceId, review: 'Done well', rating: 5, ...fields });
const upload = async (author: TestCustomer, width: number, path = '/pictures') => {
  const request = api.post(path).set({ ...bearer(author), 'Content-Type': 'image/jpeg' });
  return request.send(await drawPicture(width).jpeg().toBuffer()).expect(201);
};
/** Adds a review by Omar and returns its path. */
const reviewed = async () => `/review/${(await addReview().expect(201)).body.insertedId}`;
const reported = async () => {
  await api.post(`/services/${serviceId}/report`).set(bearer(omar)).send({ reason: 'spam' }).expect(201);
  return `/moderation/service-${serviceId}`;
};

const ask = () => api.post(`/services/${serviceId}/requests`).set(bearer(omar)).send({ text: 'How much?' }).expect(201);
/** Begins a conversation of Omar with Lena, and returns its path. */
const asked = async () => `/requests/${(await ask()).body.insertedId}`;

/** Returns the commands of a request, in the order in which they start. */
async function commandsOf(request: PromiseLike<unknown>): Promise<string[]> {
  commands.length = 0;
  await request;
  return [...commands];
}

const rateLimit = 'findAndModify limits';
const quota = 'findAndModify limits';
const saveLister = 'findAndModify listers';
const findReview = 'find reviews';
const findService = 'find services';
const findConversation = 'find conversations';
/**
 * The commands that recompute the review count and stars of a service. If the request has not read the `summaryVersion` of
 * the service before, the API first sends `findService`.
 */
const recompute = ['aggregate reviews', 'update services'];

interface WriteCase {
  /** Prepares the data, and returns the function that sends the measured request. */
  prepare: () => Promise<() => PromiseLike<unknown>>;
  commands: string[];
}

const cases: Record<Exclude<RouteKey, `GET ${string}`>, WriteCase> = {
  'POST /review': {
    prepare: async () => () => addReview({}, 'a key').expect(201),
    commands: [rateLimit, 'aggregate reviews', quota, 'insert reviews', ...recompute],
  },
  'PATCH /review/:id': {
    async prepare() {
      const path = await reviewed();
      return () => api.patch(path).set(bearer(omar)).send({ rating: 4 }).expect(200);
    },
    commands: [rateLimit, findReview, 'update reviews', findService, ...recompute],
  },
  'DELETE /review/:id': {
    async prepare() {
      const path = await reviewed();
      return () => api.delete(path).set(bearer(omar)).expect(200);
    },
    commands: [rateLimit, findReview, 'update reviews', findService, ...recompute],
  },
  'POST /review/:id/restore': {
    async prepare() {
      const path = await reviewed();
      await api.delete(path).set(bearer(omar)).expect(200);
      return () => api.post(`${path}/restore`).set(bearer(omar)).expect(200);
    },
    commands: [rateLimit, findReview, 'aggregate reviews', 'update reviews', findService, ...recompute],
  },
  'PUT /review/:id/reply': {
    async prepare() {
      const path = await reviewed();
      return () => api.put(`${path}/reply`).set(bearer(lena)).send({ text: 'Thank you' }).expect(200);
    },
    commands: [rateLimit, findReview, findService, 'findAndModify reviews'],
  },
  'DELETE /review/:id/reply': {
    async prepare() {
      const path = await reviewed();
      await api.put(`${path}/reply`).set(bearer(lena)).send({ text: 'Thank you' }).expect(200);
      return () => api.delete(`${path}/reply`).set(bearer(lena)).expect(200);
    },
    commands: [rateLimit, findReview, 'update reviews'],
  },
  'PUT /review/:id/useful': {
    async prepare() {
      const path = await reviewed();
      return () => api.put(`${path}/useful`).set(bearer(lena)).expect(200);
    },
    commands: [rateLimit, findReview, findService, 'findAndModify reviews'],
  },
  'DELETE /review/:id/useful': {
    async prepare() {
      const path = await reviewed();
      await api.put(`${path}/useful`).set(bearer(lena)).expect(200);
      return () => api.delete(`${path}/useful`).set(bearer(lena)).expect(200);
    },
    commands: [rateLimit, findReview, 'findAndModify reviews'],
  },
  'POST /review/:id/report': {
    async prepare() {
      const path = await reviewed();
      return () => api.post(`${path}/report`).set(bearer(lena)).send({ reason: 'spam' }).expect(201);
    },
    commands: [
      rateLimit,
      findReview,
      findService,
      quota,
      'findAndModify reports',
      'findAndModify cases',
      'update reports',
    ],
  },
  'POST /services/:id/requests': {
    prepare: async () => () => ask(),
    commands: [
      rateLimit,
      findService,
      'find listers',
      findConversation,
      quota,
      'insert messages',
      'find messages',
      'insert conversations',
      'update messages',
    ],
  },
  'POST /requests/:id/messages': {
    async prepare() {
      const path = await asked();
      return () => api.post(`${path}/messages`).set(bearer(lena)).send({ text: 'From $100' }).expect(201);
    },
    commands: [
      rateLimit,
      findConversation,
      quota,
      'insert messages',
      'find messages',
      'aggregate messages',
      'update conversations',
      'update messages',
    ],
  },
  'POST /requests/:id/close': {
    async prepare() {
      const path = await asked();
      return () => api.post(`${path}/close`).set(bearer(lena)).expect(204);
    },
    commands: [rateLimit, findConversation, 'update conversations'],
  },
  'POST /requests/:id/read': {
    async prepare() {
      const path = await asked();
      const until = new Date().toISOString();
      return () => api.post(`${path}/read`).set(bearer(lena)).send({ until }).expect(204);
    },
    commands: [rateLimit, findConversation, 'update conversations'],
  },
  'POST /messages/:id/report': {
    async prepare() {
      const { body } = await api
        .get(await asked())
        .set(bearer(lena))
        .expect(200);
      const path = `/messages/${body.messages[0]._id}/report`;
      return () => api.post(path).set(bearer(lena)).send({ reason: 'spam' }).expect(201);
    },
    commands: [
      rateLimit,
      'find messages',
      findConversation,
      quota,
      'findAndModify reports',
      'findAndModify cases',
      'update reports',
    ],
  },
  'POST /news/seen': {
    prepare: async () => () =>
      api.post('/news/seen').set(bearer(lena)).send({ until: new Date().toISOString() }).expect(204),
    commands: [rateLimit, 'update inboxes'],
  },
  'PUT /account/emails': {
    prepare: async () => () => api.put('/account/emails').set(bearer(lena)).send({ isOn: true }).expect(200),
    commands: [rateLimit, 'find inboxes', 'update inboxes'],
  },
  'POST /unsubscribe/:key': {
    async prepare() {
      await api.put('/account/emails').set(bearer(lena)).send({ isOn: true }).expect(200);
      const inbox = await db.collection('inboxes').findOne({ 'emails.nextCheckAt': { $exists: true } });
      return () => api.post(`/unsubscribe/${inbox?.unsubscribeKey}`).expect(204);
    },
    commands: ['update inboxes'],
  },
  'POST /services': {
    prepare: async () => () => addService({}, 'a key').expect(201),
    commands: [rateLimit, findService, quota, saveLister, 'find vocabulary', 'insert services'],
  },
  'PATCH /services/:id': {
    prepare: async () => () =>
      api.patch(`/services/${serviceId}`).set(bearer(lena)).send({ title: 'Repair hood' }).expect(200),
    commands: [rateLimit, findService, quota, 'find vocabulary', 'update services'],
  },
  'DELETE /services/:id': {
    prepare: async () => () => api.delete(`/services/${serviceId}`).set(bearer(lena)).expect(200),
    commands: [rateLimit, findService, 'update services'],
  },
  'POST /services/:id/restore': {
    async prepare() {
      await api.delete(`/services/${serviceId}`).set(bearer(lena)).expect(200);
      return () => api.post(`/services/${serviceId}/restore`).set(bearer(lena)).expect(200);
    },
    commands: [rateLimit, findService, 'find vocabulary', 'update services'],
  },
  'POST /services/:id/report': {
    prepare: async () => () =>
      api.post(`/services/${serviceId}/report`).set(bearer(omar)).send({ reason: 'spam' }).expect(201),
    commands: [rateLimit, findService, quota, 'findAndModify reports', 'findAndModify cases', 'update reports'],
  },
  'POST /review/:id/appeal': {
    async prepare() {
      const path = await reviewed();
      const hidden = { at: new Date(), reason: 'Spam', deletedAt: null };
      const _id = new ObjectId(path.slice('/review/'.length));
      await db.collection('reviews').updateOne({ _id }, { $set: { hidden, deletedAt: hiddenDeletedAt } });
      return () => api.post(`${path}/appeal`).set(bearer(omar)).send({ text: 'It is true' }).expect(204);
    },
    commands: [rateLimit, findReview, 'insert reports', 'update reviews', 'findAndModify cases', 'update reports'],
  },
  'POST /services/:id/appeal': {
    async prepare() {
      const _id = new ObjectId(serviceId);
      await db.collection('services').updateOne({ _id }, { $set: { hiddenAt: new Date() } });
      return () => api.post(`/services/${serviceId}/appeal`).set(bearer(lena)).send({ text: 'It is true' }).expect(204);
    },
    commands: [rateLimit, findService, 'insert reports', 'update services', 'findAndModify cases', 'update reports'],
  },
  'POST /moderation/:id': {
    async prepare() {
      const path = await reported();
      const { body } = await api.get('/moderation?limit=100').set(bearer(omar)).expect(200);
      const { version } = body.find(({ _id }: { _id: string }) => path.endsWith(_id));
      const action = { action: 'dismiss', reason: 'It is fine', version };
      return () => api.post(path).set(bearer(omar)).send(action).expect(200);
    },
    commands: [
      rateLimit,
      'find cases',
      findService,
      'insert audit',
      'update cases',
      'update audit',
      // These commands read the moderation case, with its content and its reports, for the response.
      'find cases',
      findService,
      'aggregate reports',
      'find reports',
    ],
  },
  'POST /pictures': {
    prepare: async () => () => upload(lena, 8),
    commands: [rateLimit, 'find blockedPictures', 'findAndModify pictures', 'aggregate pictures', 'insert pictures'],
  },
  'POST /pictures/p': {
    prepare: async () => () => upload(lena, 8, '/pictures/p'),
    commands: [rateLimit, 'find blockedPictures', 'findAndModify pictures', 'aggregate pictures', 'insert pictures'],
  },
  'DELETE /account': {
    async prepare() {
      const leaving = await signUp();
      return () => api.delete('/account').set(bearer(leaving.idToken)).expect(200);
    },
    commands: [
      'find accounts',
      rateLimit,
      'update accounts',
      // These three commands find the reviews, the replies and the votes of the customer.
      findReview,
      findReview,
      findReview,
      'delete listers',
      'update services',
      findConversation,
      'delete pictures',
      'delete reports',
      'delete inboxes',
    ],
  },
  'POST /jwt': {
    prepare: async () => () => api.post('/jwt').set(bearer(lena.idToken)).send({ email: lena.email }).expect(200),
    commands: ['find accounts', rateLimit],
  },
  'POST /vitals': {
    prepare: async () => () =>
      api
        .post('/vitals')
        .send({ vitals: [{ name: 'CLS', value: 0 }] })
        .expect(204),
    commands: [],
  },
};

it.for(Object.entries(cases))(
  '%s needs exactly the database commands that are listed in this test',
  async ([, { prepare, commands }]) => {
    const send = await prepare();
    // Some commands of a request run concurrently, so their order can differ.
    expect((await commandsOf(send())).toSorted()).toEqual(commands.toSorted());
  },
);

it('POST /review needs one more database command with photos than without, even with several photos', async () => {
  const photos = pictures.map((url) => ({ url, alt: 'The hood' }));
  const sent = await commandsOf(addReview({ photos }).expect(201));
  expect(sent).toEqual([rateLimit, 'aggregate reviews', quota, 'update pictures', 'insert reviews', ...recompute]);
});

it('POST /services needs one more database command if a word of the service is not in the vocabulary yet', async () => {
  const sent = await commandsOf(addService({ title: 'Salamander' }).expect(201));
  expect(sent).toEqual([rateLimit, quota, saveLister, 'find vocabulary', 'update vocabulary', 'insert services']);
});

it('a repeated POST /review needs only 2 database commands', async () => {
  await addReview({}, 'another key').expect(201);
  expect(await commandsOf(addReview({}, 'another key').expect(201))).toEqual([rateLimit, 'aggregate reviews']);
});
