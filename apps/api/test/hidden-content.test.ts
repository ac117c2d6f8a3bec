import { randomBytes } from 'node:crypto';
import type { ModerationCase, OwnReport, Review } from '@rtr/shared';
import { Collection } from 'mongodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/documents.ts';
import { runOperate } from '../src/run-operate.ts';
import { createStores } from '../src/stores.ts';
import { bearer } from './support/bearer.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

// Tests what happens to content that a moderator or an operator hides: when an action is interrupted, and when the author, the
// lister or an operator changes the content too.

const JWT_SECRETS = `a:${randomBytes(32).toString('base64')}`;
let clock = Date.now();
const app = await createTestApp({ env: { JWT_SECRETS }, now: () => clock });
const { api, db, config, signUp, takeWarnings } = app;
const collections = getCollections(db);
const { services, reviews, reports, cases, audit, pictures } = collections;
const { moderation, reviewModeration } = createStores(collections, config.webOrigins);

let lister: TestCustomer;
let author: TestCustomer;
let reader: TestCustomer;
let moderator: TestCustomer;
let service: string;
let review: string;

beforeAll(async () => {
  lister = await signUp({ name: 'Mina Duct' });
  author = await signUp({ name: 'Omar' });
  reader = await signUp({ name: 'Rosa' });
  moderator = await signUp({ name: 'Mo' });
  await app.callFirebaseAsAdmin('update', { localId: moderator.uid, customAttributes: '{"moderator":true}' });
  clock += 60_000; // the status of the account is cached for a minute
});
beforeEach(async () => {
  await Promise.all(
    [services, reviews, reports, cases, audit, pictures].map((collection) => collection.deleteMany({})),
  );
  service = await insert('/services', lister, { title: 'Hood repair', img: 'https://pictures.example/hood.png' });
  review = await insert('/review', author, { serviceId: service, review: 'They came at night.', rating: 2 });
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function insert(path: string, customer: TestCustomer, body: object): Promise<string> {
  return (await api.post(path).set(bearer(customer)).send(body).expect(201)).body.insertedId;
}
const report = (path = `/review/${review}`, { by = reader, about }: { by?: TestCustomer; about?: string } = {}) =>
  api
    .post(`${path}/report`)
    .set(bearer(by))
    .send({ reason: 'spam', ...(about && { about }) });
const act = (body: object, id = `review-${review}`) =>
  api
    .post(`/moderation/${id}`)
    .set(bearer(moderator))
    .send({ reason: 'Spam', ...body });
const readCases = async (status: string): Promise<ModerationCase[]> =>
  (await api.get(`/moderation?status=${status}`).set(bearer(moderator)).expect(200)).body;
const readReports = async (by = reader): Promise<OwnReport[]> =>
  (await api.get('/account/reports').set(bearer(by)).expect(200)).body;
const readReviews = async (): Promise<Review[]> => (await api.get(`/allreview?serviceId=${service}`).expect(200)).body;
const operate = (...args: string[]) => runOperate(config, [...args, '--by', 'ana', '--reason', 'reported']);

/** Makes the next update of a document of a collection fail, as if the connection to the database was interrupted. */
function failNextUpdate(collection: string): void {
  const original = Collection.prototype.updateOne as (...args: unknown[]) => Promise<unknown>;
  let isPending = true;
  vi.spyOn(Collection.prototype, 'updateOne').mockImplementation(async function call(this: Collection, ...args) {
    if (isPending && this.collectionName === collection) {
      isPending = false;
      throw new Error('connection closed');
    }
    return original.apply(this, args) as never;
  });
}

describe('an action of a moderator that is interrupted after it was recorded', () => {
  it.each([
    ['review', 'reviews', () => `review-${review}`, () => `/review/${review}`],
    ['service', 'services', () => `service-${service}`, () => `/services/${service}`],
  ])('hides the %s in the next sweep', async (_kind, collection, caseId, path) => {
    await report(path()).expect(201);
    failNextUpdate(collection);
    await act({ action: 'hide' }, caseId()).expect(500);
    expect(takeWarnings()).toHaveLength(1);
    expect(await readCases('closed')).toMatchObject([{ _id: caseId(), outcome: 'hidden' }]);
    await api.get(path()).expect(200);
    await moderation.sweep();
    await api.get(path()).expect(404);
    expect(await readReports()).toMatchObject([{ outcome: 'hidden' }]);
  });

  it('restores the review in the next sweep', async () => {
    await report().expect(201);
    await act({ action: 'hide' }).expect(200);
    failNextUpdate('reviews');
    await act({ action: 'restore' }).expect(500);
    expect(takeWarnings()).toHaveLength(1);
    await moderation.sweep();
    expect(await readReviews()).toHaveLength(1);
  });

  it('is not applied again after it has finished', async () => {
    await report().expect(201);
    await act({ action: 'hide' }).expect(200);
    await operate('restore', 'review', review);
    await moderation.sweep();
    expect(await readReviews()).toHaveLength(1);
  });
});

describe('the outcome of a report', () => {
  it('is hidden if an operator had already hidden the review when a moderator dismissed the report', async () => {
    await report().expect(201);
    await operate('hide', 'review', review);
    expect((await act({ action: 'dismiss' }).expect(200)).body).toMatchObject({ status: 'closed', outcome: 'hidden' });
    expect(await readReports()).toMatchObject([{ status: 'closed', outcome: 'hidden', hiddenPart: 'review' }]);
    await operate('restore', 'review', review);
    expect(await readCases('closed')).toMatchObject([{ outcome: 'kept' }]);
    expect(await readReports()).toMatchObject([{ outcome: 'kept' }]);
  });

  it('is hidden if an operator had already hidden the service', async () => {
    await report(`/services/${service}`).expect(201);
    await operate('hide', 'service', service);
    const { body } = await act({ action: 'dismiss' }, `service-${service}`).expect(200);
    expect(body).toMatchObject({ outcome: 'hidden' });
    expect(await readReports()).toMatchObject([{ outcome: 'hidden', hiddenPart: 'service' }]);
  });

  it('is kept if an operator has restored a review that a moderator had hidden', async () => {
    await report().expect(201);
    await act({ action: 'hide' }).expect(200);
    await operate('restore', 'review', review);
    expect(await readReports()).toMatchObject([{ outcome: 'kept' }]);
  });

  it('stays hidden after the account of the author was deleted', async () => {
    const leaving = await signUp();
    const id = await insert('/review', leaving, { serviceId: service, review: 'Buy my book' });
    await report(`/review/${id}`).expect(201);
    await act({ action: 'hide' }, `review-${id}`).expect(200);
    await api.delete('/account').set(bearer(leaving.idToken)).expect(200);
    expect(await readReports()).toMatchObject([{ outcome: 'hidden', hiddenPart: 'review' }]);
  });
});

describe('a review that was deleted and then hidden', () => {
  const dayMs = 24 * 60 * 60_000;
  const sweepAt = async (time: number) => {
    await reviewModeration.sweep(new Date(time));
    return reviews.countDocuments();
  };

  it('is erased by the sweep a day after its deletion', async () => {
    await report().expect(201);
    await api.delete(`/review/${review}`).set(bearer(author)).expect(200);
    await act({ action: 'hide' }).expect(200);
    expect(await sweepAt(Date.now() + dayMs - 60_000)).toBe(1);
    expect(await sweepAt(Date.now() + dayMs + 60_000)).toBe(0);
    expect(await readReports()).toMatchObject([{ outcome: 'hidden' }]);
  });

  it('is not erased if it was hidden only', async () => {
    await report().expect(201);
    await act({ action: 'hide' }).expect(200);
    expect(await sweepAt(Date.now() + 2 * dayMs)).toBe(1);
  });
});
