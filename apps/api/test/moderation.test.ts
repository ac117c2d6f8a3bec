import { randomBytes } from 'node:crypto';
import type { ModerationCase, OwnReport, OwnReview, Review } from '@rtr/shared';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/documents.ts';
import { bearer } from './support/bearer.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const JWT_SECRETS = `a:${randomBytes(32).toString('base64')}`;
const minute = 60_000;
let clock = Date.now();
const app = await createTestApp({ env: { JWT_SECRETS }, now: () => clock });
const { api, db, signUp, callFirebaseAsAdmin } = app;
const { services, reviews, reports, cases, audit } = getCollections(db);

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
  await makeModerator(moderator);
  clock += minute; // the status of the account is cached for a minute
});
beforeEach(async () => {
  await Promise.all([services, reviews, reports, cases, audit].map((collection) => collection.deleteMany({})));
  service = await insert('/services', lister, { title: 'Hood repair', img: 'https://pictures.example/hood.png' });
  review = await insert('/review', author, { serviceId: service, review: 'They came at night.', rating: 2 });
});

const makeModerator = ({ uid }: TestCustomer) =>
  callFirebaseAsAdmin('update', { localId: uid, customAttributes: '{"moderator":true}' });

async function insert(path: string, customer: TestCustomer, body: object): Promise<string> {
  return (await api.post(path).set(bearer(customer)).send(body).expect(201)).body.insertedId;
}
const report = (
  path = `/review/${review}`,
  { by = reader, reason = 'spam', ...body }: Record<string, unknown> & { by?: TestCustomer } = {},
) =>
  api
    .post(`${path}/report`)
    .set(bearer(by))
    .send({ reason, ...body });
const act = (body: object, { by = moderator, id = `review-${review}` } = {}) =>
  api.post(`/moderation/${id}`).set(bearer(by)).send(body);
const readCases = async (status = 'open'): Promise<ModerationCase[]> =>
  (await api.get(`/moderation?status=${status}`).set(bearer(moderator)).expect(200)).body;
const readReports = async (by = reader): Promise<OwnReport[]> =>
  (await api.get('/account/reports').set(bearer(by)).expect(200)).body;
const readOwnReviews = async (): Promise<OwnReview[]> =>
  (await api.get(`/review?email=${author.email}`).set(bearer(author)).expect(200)).body;
const readReviews = async (): Promise<Review[]> => (await api.get(`/allreview?serviceId=${service}`).expect(200)).body;

describe('a report', () => {
  it('opens a case with the reported review, and without the identity of its sender', async () => {
    const { body } = await report(undefined, { reason: 'abuse', text: 'Insults the cook.' }).expect(201);
    expect(body).toEqual({
      target: { kind: 'review', id: review, serviceId: service, title: 'Hood repair' },
      about: 'review',
      reason: 'abuse',
      text: 'Insults the cook.',
      createdAt: expect.any(String),
      status: 'open',
    });
    const [only, ...others] = await readCases();
    expect(others).toEqual([]);
    expect(only).toMatchObject({
      _id: `review-${review}`,
      status: 'open',
      review: { _id: review, review: 'They came at night.', serviceName: 'Hood repair' },
      hidden: {},
      reportCount: 1,
      reports: [{ about: 'review', reason: 'abuse', text: 'Insults the cook.', status: 'open' }],
      history: [],
    });
    expect(JSON.stringify(only)).not.toMatch(new RegExp(`${reader.uid}|${reader.email}|${author.email}`));
  });

  it('replaces the earlier report of the same customer', async () => {
    await report().expect(201);
    await report(undefined, { reason: 'fake' }).expect(200);
    await report(undefined, { by: lister, reason: 'private' }).expect(201);
    const [only] = await readCases();
    expect(only).toMatchObject({ reportCount: 2, reports: [{ reason: 'private' }, { reason: 'fake' }] });
    expect(await readReports()).toMatchObject([{ reason: 'fake' }]);
  });

  it('can be about a service', async () => {
    await report(`/services/${service}`).expect(201);
    expect(await readCases()).toMatchObject([
      { _id: `service-${service}`, service: { title: 'Hood repair' }, reports: [{ about: 'service' }] },
    ]);
  });
});

describe('a moderator', () => {
  it('hides a review with a reason, which its author reads', async () => {
    await report().expect(201);
    const { body } = await act({ action: 'hide', reason: '$deletedAt is rude' }).expect(200);
    expect(body).toMatchObject({
      status: 'closed',
      outcome: 'hidden',
      review: { _id: review },
      hidden: { review: { reason: '$deletedAt is rude' } },
      history: [{ action: 'hide', part: 'review', reason: '$deletedAt is rude', by: moderator.uid }],
    });
    expect(await readReviews()).toEqual([]);
    expect(await readOwnReviews()).toMatchObject([{ _id: review, hidden: { reason: '$deletedAt is rude' } }]);
    expect(await readReports()).toMatchObject([{ status: 'closed', outcome: 'hidden', hiddenPart: 'review' }]);
  });
});
