import type { ModerationCase, OwnReply, OwnReport, OwnReview, OwnService, Review, Service } from '@rtr/shared';
import { Collection, ObjectId } from 'mongodb';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { createModerationTest } from './support/moderation.ts';
import { readAllPages } from './support/read-all-pages.ts';
import type { TestCustomer } from './support/test-app.ts';

const app = await createModerationTest();
const { api, db, signUp, signIn, callFirebaseAsAdmin, people, makeModerator, passMinute, insert, readCase } = app;
const { services, reviews, reports, cases, audit } = getCollections(db);

let lister: TestCustomer;
let author: TestCustomer;
let reader: TestCustomer;
let moderator: TestCustomer;
let service: string;
let review: string;

beforeAll(() => {
  ({ lister, author, reader, moderator } = people);
});
beforeEach(async () => {
  await Promise.all([services, reviews, reports, cases, audit].map((collection) => collection.deleteMany({})));
  service = await insert('/services', lister, { title: 'Hood repair', img: 'https://pictures.example/hood.png' });
  review = await insert('/review', author, { serviceId: service, review: 'They came at night.', rating: 2 });
});

const report = (
  path = `/review/${review}`,
  { by = reader, reason = 'spam', ...body }: Record<string, unknown> & { by?: TestCustomer } = {},
) =>
  api
    .post(`${path}/report`)
    .set(bearer(by))
    .send({ reason, ...body });
/** Sends an action with the current version of the case, unless `body` contains another one. */
const act = (body: object, { by = moderator, id = `review-${review}` } = {}) => ({
  async expect(status: number) {
    const version = (await readCase(id))?.version ?? '';
    return api
      .post(`/moderation/${id}`)
      .set(bearer(by))
      .send({ version, ...body })
      .expect(status);
  },
});
const readCases = async (status = 'open'): Promise<ModerationCase[]> =>
  (await api.get(`/moderation?status=${status}&limit=100`).set(bearer(moderator)).expect(200)).body;
const readReports = async (by = reader): Promise<OwnReport[]> =>
  (await api.get('/account/reports').set(bearer(by)).expect(200)).body;
const readOwnReviews = async (): Promise<OwnReview[]> =>
  (await api.get(`/review?email=${author.email}`).set(bearer(author)).expect(200)).body;
const readReviews = async (): Promise<Review[]> => (await api.get(`/allreview?serviceId=${service}`).expect(200)).body;

afterEach(() => {
  vi.restoreAllMocks();
});

const unknownId = '0'.repeat(24);
const photo = { url: 'http://web.example/pictures/u/1', alt: 'The hood' };

const readReview = async (by?: TestCustomer) =>
  (await api.get(`/review/${review}`).set(by ? bearer(by) : {})).body as Partial<OwnReview>;
const readOwnServices = async (): Promise<OwnService[]> =>
  (await api.get('/account/services').set(bearer(lister)).expect(200)).body;
const readOwnReplies = async (): Promise<OwnReply[]> =>
  (await api.get('/account/replies').set(bearer(lister)).expect(200)).body;
const readService = async (): Promise<Service> => (await api.get(`/services/${service}`).expect(200)).body;
const reply = (text = 'We are sorry.') =>
  api.put(`/review/${review}/reply`).set(bearer(lister)).send({ text }).expect(200);
const editReview = () =>
  api.patch(`/review/${review}`).set(bearer(author)).send({ review: 'They came at noon.' }).expect(200);
const editService = () =>
  api.patch(`/services/${service}`).set(bearer(lister)).send({ title: 'Hood cleaning' }).expect(200);
const addPhoto = () => reviews.updateOne({ _id: new ObjectId(review) }, { $set: { photos: [photo] } });

/** Simulates a concurrent request. `change` runs before the next call of `method` on `collection`. */
function beforeNext(
  method: 'updateOne' | 'findOneAndUpdate',
  change: () => Promise<unknown>,
  collection: string,
): void {
  const original = Collection.prototype[method] as (...args: unknown[]) => Promise<unknown>;
  let isPending = true;
  vi.spyOn(Collection.prototype, method).mockImplementation(async function call(this: Collection, ...args: unknown[]) {
    if (isPending && this.collectionName === collection) {
      isPending = false;
      await change();
    }
    return original.apply(this, args) as never;
  });
}

describe('a report', () => {
  it('opens a moderation case that contains the reported review, but not the sender of the report', async () => {
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
    expect(JSON.stringify(only)).not.toMatch(new RegExp(`${reader.uid}|${reader.email}|${author.uid}|${author.email}`));
  });

  it('replaces the earlier report of the same customer', async () => {
    await report().expect(201);
    await report(undefined, { reason: 'fake' }).expect(200);
    await report(undefined, { by: lister, reason: 'private' }).expect(201);
    const [only] = await readCases();
    expect(only).toMatchObject({ reportCount: 2, reports: [{ reason: 'private' }, { reason: 'fake' }] });
    expect(await readReports()).toMatchObject([{ reason: 'fake' }]);
  });

  it('can be about a service or its picture', async () => {
    await report(`/services/${service}`).expect(201);
    expect(await readCases()).toMatchObject([
      { _id: `service-${service}`, service: { title: 'Hood repair' }, reports: [{ about: 'service' }] },
    ]);
    await report(`/services/${service}`, { about: 'picture' }).expect(200);
    expect(await readReports()).toMatchObject([{ target: { kind: 'service', id: service }, about: 'picture' }]);
  });

  it('can be about the reply or the photos of a review if they exist, and is otherwise rejected with 404', async () => {
    for (const about of ['reply', 'picture']) await report(undefined, { about }).expect(404);
    await services.updateOne({}, { $set: { img: '' } });
    await report(`/services/${service}`, { about: 'picture' }).expect(404);
    await reply();
    await addPhoto();
    await report(undefined, { about: 'reply' }).expect(201);
    await report(undefined, { about: 'picture' }).expect(200);
    expect(await readCases()).toMatchObject([{ review: { reply: { text: 'We are sorry.' }, photos: [photo] } }]);
  });

  it('of one’s own content is rejected with 403, but authors can report the reply to their review', async () => {
    await reply();
    await report(undefined, { by: author }).expect(403);
    await report(undefined, { by: lister, about: 'reply' }).expect(403);
    await report(`/services/${service}`, { by: lister }).expect(403);
    expect(await cases.countDocuments()).toBe(0);
    await report(undefined, { by: author, about: 'reply' }).expect(201);
    await report(undefined, { by: lister }).expect(201);
  });

  it('of a missing, deleted or hidden review, or of a review of a withdrawn service, is rejected with 404', async () => {
    for (const path of [`/review/${unknownId}`, '/review/x', `/services/${unknownId}`, '/services/x'])
      await report(path).expect(404);
    await api.delete(`/review/${review}`).set(bearer(author)).expect(200);
    await report().expect(404);
    await api.post(`/review/${review}/restore`).set(bearer(author)).expect(200);
    await report().expect(201);
    await act({ action: 'hide', reason: 'Spam' }).expect(200);
    await report().expect(404);
    await act({ action: 'restore', reason: 'A mistake' }).expect(200);
    await api.delete(`/services/${service}`).set(bearer(lister)).expect(200);
    await report().expect(404);
    await report(`/services/${service}`).expect(404);
  });

  it.each([
    [{ reason: 'boring' }, 'body.reason'],
    [{ text: 'x'.repeat(501) }, 'body.text'],
    [{ about: 'service' }, 'body.about'],
    [{ text: { $gt: '' } }, 'body.text'],
    [{ uid: 'x' }, 'body'],
  ])('is rejected with 400 because of an invalid field: %.60j', async (fields, path) => {
    const { body } = await report(undefined, fields).expect(400);
    expect(body.errors).toMatchObject([{ path }]);
    expect(await reports.countDocuments()).toBe(0);
  });

  it('is listed only to its sender, with its status and outcome', async () => {
    await report().expect(201);
    await report(`/services/${service}`, { by: author, reason: 'fake' }).expect(201);
    expect(await readReports()).toMatchObject([{ target: { kind: 'review' }, status: 'open' }]);
    expect(await readReports(author)).toMatchObject([{ target: { kind: 'service' }, status: 'open' }]);
    await act({ action: 'dismiss' }).expect(200);
    const [dismissed] = await readReports();
    expect(dismissed).toMatchObject({ status: 'closed', outcome: 'kept' });
    expect(dismissed).not.toHaveProperty('hiddenPart');
  });

  it('appears in the list of its sender, which is sorted newest first and returned in pages', async () => {
    await report().expect(201);
    await report(`/services/${service}`).expect(201);
    const client = { ...api, get: (path: string) => api.get(path).set(bearer(reader)) };
    const pages = await readAllPages<OwnReport>(client, '/account/reports?limit=1');
    expect(pages.map((page) => page.map(({ target }) => target.kind))).toEqual([['service'], ['review']]);
  });

  it('is erased when its sender deletes their account', async () => {
    const leaving = await signUp();
    await report(undefined, { by: leaving, text: 'My words' }).expect(201);
    await report().expect(201);
    await api
      .delete('/account')
      .set(bearer(await signIn(leaving)))
      .expect(200);
    expect(await reports.find().toArray()).toMatchObject([{ uid: reader.uid }]);
    expect(await readCases()).toMatchObject([{ reportCount: 1, reports: [{ text: '' }] }]);
  });

  it('is added to a moderation case by a later sweep if the request that sent the report was interrupted', async () => {
    await report().expect(201);
    await cases.deleteMany();
    await reports.updateMany({}, { $set: { version: null } });
    const { sweep } = app.stores.reports;
    await sweep();
    expect(await readCases()).toEqual([]); // The sweep ignores a new report, because its request may still be running.
    await sweep(new Date(Date.now() + 2 * 60_000));
    expect(await readCases()).toMatchObject([{ _id: `review-${review}`, reportCount: 1 }]);
    await act({ action: 'dismiss' }).expect(200);
    expect(await readReports()).toMatchObject([{ status: 'closed' }]);
  });
});

describe('the routes for moderators', () => {
  it('return 404 to customers who are not moderators, even with an invalid request', async () => {
    await report().expect(201);
    for (const customer of [reader, author, lister]) {
      await api.get('/moderation').set(bearer(customer)).expect(404);
      await api.get('/moderation?status=all').set(bearer(customer)).expect(404);
      await act({ action: 'dismiss' }, { by: customer }).expect(404);
      const { body } = await act({ action: 'explode' }, { by: customer }).expect(404);
      expect(body.detail).toBe(`Nothing exists at /moderation/review-${review}. See /docs for all routes.`);
    }
    expect(await readCases()).toMatchObject([{ history: [] }]);
    expect(await audit.countDocuments()).toBe(0);
  });

  it('accept a customer within 60 s after they became a moderator, and reject them within 60 s after they stopped being one', async () => {
    const helper = await signUp();
    const read = () => api.get('/moderation').set(bearer(helper));
    await read().expect(404);
    await makeModerator(helper);
    passMinute();
    await read().expect(200);
    await callFirebaseAsAdmin('update', { localId: helper.uid, customAttributes: '{"moderator":"no"}' });
    passMinute();
    await read().expect(404);
  });

  it.each([
    [{ action: undefined }, 'body.action'],
    [{ action: 'erase' }, 'body.action'],
    [{ action: 'hide' }, 'body.reason'],
    [{ action: 'hide', reason: '  ' }, 'body.reason'],
    [{ action: 'restore' }, 'body.reason'],
    [{ action: 'hide', reason: 'x'.repeat(501) }, 'body.reason'],
    [{ action: 'hide', reason: 'Spam', part: 'service' }, 'body.part'],
    [{ action: 'dismiss', version: undefined }, 'body.version'],
    [{ action: 'dismiss', by: 'someone' }, 'body'],
  ])('reject the action %.60j with 400', async (action, path) => {
    await report().expect(201);
    const { body } = await act(action).expect(400);
    expect(body.errors).toMatchObject([{ path }]);
    expect(await readReviews()).toHaveLength(1);
  });

  it('return 404 for a moderation case that does not exist', async () => {
    for (const id of [`review-${review}`, `service-${unknownId}`, review, 'review-x'])
      await act({ action: 'dismiss' }, { id }).expect(404);
    expect(await audit.countDocuments()).toBe(0);
  });

  it('list the open moderation cases, oldest first, and the closed ones, newest first, both in pages', async () => {
    const ids: string[] = [];
    for (const text of ['One', 'Two', 'Three']) {
      const id = await insert('/review', author, { serviceId: service, review: text });
      await report(`/review/${id}`).expect(201);
      ids.push(`review-${id}`);
    }
    // A second report about the same review does not change the position of its case in the list.
    await report(`/review/${ids[0]?.slice(7)}`, { by: lister }).expect(201);
    const pagesOf = async (status: string) => {
      const client = { ...api, get: (path: string) => api.get(path).set(bearer(moderator)) };
      const pages = await readAllPages<ModerationCase>(client, `/moderation?status=${status}&limit=2`);
      return pages.map((page) => page.map(({ _id }) => ids.indexOf(_id)));
    };
    expect(await pagesOf('open')).toEqual([[0, 1], [2]]);
    for (const id of ids) await act({ action: 'dismiss' }, { id }).expect(200);
    expect(await pagesOf('open')).toEqual([[]]);
    expect(await pagesOf('closed')).toEqual([[2, 1], [0]]);
  });

  it('return up to 20 reports of a moderation case, and the number of all its reports', async () => {
    await report().expect(201);
    const [first] = await reports.find().toArray();
    const more = Array.from({ length: 24 }, (_, n) => ({ ...first, _id: `review-${review}:${n}`, uid: `${n}` }));
    await reports.insertMany(more as never);
    const [only] = await readCases();
    expect([only?.reportCount, only?.reports.length]).toEqual([25, 20]);
  });
});

describe('a moderator', () => {
  it('hides a review, and the author can read the reason', async () => {
    await report().expect(201);
    const { body } = await act({ action: 'hide', reason: '$deletedAt is rude' }).expect(200);
    expect(body).toMatchObject({
      status: 'closed',
      review: { _id: review },
      hidden: { review: { reason: '$deletedAt is rude' } },
      history: [{ action: 'hide', part: 'review', reason: '$deletedAt is rude', by: 'Mo' }],
    });
    expect(await readReviews()).toEqual([]);
    expect(await readService()).toMatchObject({ reviewCount: 0, averageRating: null });
    expect(await readOwnReviews()).toMatchObject([{ _id: review, hidden: { reason: '$deletedAt is rude' } }]);
    expect(await readReview(author)).toMatchObject({ _id: review, hidden: { reason: '$deletedAt is rude' } });
    expect(await readReview(reader)).toMatchObject({ status: 404 });
    expect(await readReports()).toMatchObject([{ status: 'closed', outcome: 'hidden', hiddenPart: 'review' }]);
  });

  it('restores a review, and the outcome of the reports about it is then “kept”', async () => {
    await report().expect(201);
    const before = await readReviews();
    await act({ action: 'hide', reason: 'Spam' }).expect(200);
    const { body } = await act({ action: 'restore', reason: 'It is a real customer' }).expect(200);
    expect([body.status, body.hidden]).toEqual(['closed', {}]);
    expect(body.history.map(({ action }: { action: string }) => action)).toEqual(['hide', 'restore']);
    expect(await readReviews()).toEqual(before);
    expect((await readOwnReviews())[0]).not.toHaveProperty('hidden');
    expect(await readReports()).toMatchObject([{ status: 'closed', outcome: 'kept' }]);
  });

  it('hides a reply, which its lister can then read in the list of their own replies, but not edit', async () => {
    await reply();
    await report(undefined, { by: author, about: 'reply' }).expect(201);
    await act({ action: 'hide', part: 'reply', reason: 'An insult' }).expect(200);
    await api.put(`/review/${review}/reply`).set(bearer(lister)).send({ text: 'Another text' }).expect(403);
    for (const seen of [(await readReviews())[0], await readReview(author), await readReview()])
      expect(seen).not.toHaveProperty('reply');
    expect(await readOwnReplies()).toMatchObject([{ text: 'We are sorry.', hidden: { reason: 'An insult' } }]);
    expect(await readReports(author)).toMatchObject([{ outcome: 'hidden', hiddenPart: 'reply' }]);
    await act({ action: 'restore', part: 'reply', reason: 'No insult' }).expect(200);
    expect(await readReviews()).toMatchObject([{ reply: { text: 'We are sorry.' } }]);
    expect((await readOwnReplies())[0]).not.toHaveProperty('hidden');
  });

  it('hides a service, and the lister can read the reason', async () => {
    const id = `service-${service}`;
    await report(`/services/${service}`).expect(201);
    const { body } = await act({ action: 'hide', reason: 'Not a kitchen service' }, { id }).expect(200);
    expect(body).toMatchObject({
      service: { _id: service },
      hidden: { service: { reason: 'Not a kitchen service' } },
    });
    await api.get(`/services/${service}`).expect(404);
    expect(await readOwnServices()).toMatchObject([{ _id: service, hidden: { reason: 'Not a kitchen service' } }]);
    await act({ action: 'restore', reason: 'It is one' }, { id }).expect(200);
    await readService();
    expect((await readOwnServices())[0]).not.toHaveProperty('hidden');
  });

  it('can dismiss the reports about an erased review, but cannot hide the review', async () => {
    await report(undefined, { by: lister }).expect(201);
    await api.delete(`/review/${review}`).set(bearer(author)).expect(200);
    const [only] = await readCases();
    expect(only).toMatchObject({ _id: `review-${review}`, reportCount: 1 });
    expect(only).not.toHaveProperty('review');
    await reviews.deleteMany();
    await act({ action: 'hide', reason: 'Spam' }).expect(404);
    expect(await readCases()).toMatchObject([{ status: 'open', history: [] }]);
    await act({ action: 'dismiss' }).expect(200);
  });

  it('leaves an entry for each action in the audit log', async () => {
    await reply();
    await report().expect(201);
    await act({ action: 'hide', part: 'reply', reason: 'An insult' }).expect(200);
    await act({ action: 'hide', part: 'reply', reason: 'Again' }).expect(200);
    await act({ action: 'restore', part: 'reply', reason: 'Edited' }).expect(200);
    await act({ action: 'dismiss' }).expect(200);
    const entries = await audit.find().sort({ at: 1, _id: 1 }).toArray();
    expect(entries.map(({ action, target, by, reason, outcome }) => [action, target, by, reason, outcome])).toEqual([
      ['hide review reply', review, moderator.uid, 'An insult', 'done'],
      ['hide review reply', review, moderator.uid, 'Again', 'already'],
      ['restore review reply', review, moderator.uid, 'Edited', 'done'],
      ['dismiss review', review, moderator.uid, '', 'done'],
    ]);
  });
});

describe('concurrent requests', () => {
  it('when two actions for the same version of a moderation case arrive at the same time, one is applied, and the other gets 412 with the current case', async () => {
    await report().expect(201);
    const [{ version } = { version: '' }] = await readCases();
    const send = (action: object) =>
      api
        .post(`/moderation/review-${review}`)
        .set(bearer(moderator))
        .send({ ...action, version });
    const responses = await Promise.all([send({ action: 'hide', reason: 'Spam' }), send({ action: 'dismiss' })]);
    const accepted = responses.find(({ status }) => status === 200);
    const outdated = responses.find(({ status }) => status === 412);
    expect(outdated?.body.current).toMatchObject({ status: 'closed', history: accepted?.body.history });
    expect(accepted?.body.history).toHaveLength(1);
    expect(await readReviews()).toHaveLength(accepted?.body.history[0].action === 'hide' ? 0 : 1);
  });

  it('when an older action of a moderator is delayed, the newest action is still applied last', async () => {
    await report().expect(201);
    // The second action arrives between two steps of the first action: the first action is already recorded, but it has not
    // hidden the review yet.
    beforeNext('updateOne', () => act({ action: 'restore', reason: 'No spam' }).expect(200), 'reviews');
    await act({ action: 'hide', reason: 'Spam' }).expect(200);
    const [only] = await readCases('closed');
    expect(only?.history.map(({ action }) => action)).toEqual(['hide', 'restore']);
    expect(await readReviews()).toHaveLength(1);
  });

  it('when a report arrives while a moderator closes its moderation case, the report opens the case again', async () => {
    await report().expect(201);
    // The first report has opened the case. The moderator closes the case between two steps of the second report: this
    // report is already stored, but has not opened the case again yet.
    beforeNext('findOneAndUpdate', () => act({ action: 'dismiss' }).expect(200), 'cases');
    await report(undefined, { by: lister, reason: 'fake' }).expect(201);
    expect(await readReports()).toMatchObject([{ status: 'closed', outcome: 'kept' }]);
    expect(await readReports(lister)).toMatchObject([{ status: 'open' }]);
    expect(await readCases()).toMatchObject([
      { status: 'open', reports: [{ reason: 'fake', status: 'open' }, { status: 'closed' }] },
    ]);
  });

  it('when a report arrives after a moderator has read the moderation case, the action of the moderator gets 412 and does not close the case', async () => {
    await report().expect(201);
    const [{ version } = { version: '' }] = await readCases();
    await report(undefined, { by: lister }).expect(201);
    const { body } = await act({ action: 'dismiss', version }).expect(412);
    expect(body.current).toMatchObject({ status: 'open', reportCount: 2 });
    expect(await readCases()).toMatchObject([{ status: 'open', history: [] }]);
  });

  it.each([
    ['its author edits the review', () => editReview(), 'review'],
    ['its lister edits the reply', () => reply('We came at noon.'), 'review'],
    ['its lister edits the service', () => editService(), 'service'],
  ])(
    'when %s after a moderator has read the case, the action of the moderator gets 412 with the current content',
    async (_title, edit, kind) => {
      await reply();
      await report().expect(201);
      await report(`/services/${service}`).expect(201);
      const id = kind === 'review' ? `review-${review}` : `service-${service}`;
      const before = await readCase(id);
      await edit();
      const after = await readCase(id);
      for (const action of ['hide', 'dismiss']) {
        const { body } = await act({ action, reason: 'Spam', version: before?.version }, { id }).expect(412);
        expect(body.current).toEqual(after);
      }
      expect(after?.version).not.toBe(before?.version);
      await act({ action: 'hide', reason: 'Spam', version: after?.version }, { id }).expect(200);
    },
  );
});

describe('a moderator who has written the content or listed the service', () => {
  beforeAll(async () => {
    await Promise.all([lister, author].map(makeModerator));
    passMinute();
    return async () => {
      await Promise.all(
        [lister, author].map(({ uid }) => callFirebaseAsAdmin('update', { localId: uid, customAttributes: '{}' })),
      );
      passMinute();
    };
  });

  it('gets 403 for each action, and is told so in the list of cases', async () => {
    await report().expect(201);
    await report(`/services/${service}`).expect(201);
    for (const [by, id] of [
      [author, `review-${review}`],
      [lister, `review-${review}`],
      [lister, `service-${service}`],
    ] as const) {
      for (const action of ['hide', 'dismiss']) {
        const { body } = await act({ action, reason: 'Spam' }, { by, id }).expect(403);
        expect(body.detail).toBe(
          'This is about your own service, review, reply or conversation. Another moderator must decide.',
        );
      }
      const { body: rows } = await api.get('/moderation').set(bearer(by)).expect(200);
      expect(rows.find(({ _id }: ModerationCase) => _id === id)).toMatchObject({ isOwn: true });
    }
    expect((await readCases()).map((row) => [row.history, row.isOwn])).toEqual([
      [[], undefined],
      [[], undefined],
    ]);
    await act({ action: 'dismiss' }, { by: author, id: `service-${service}` }).expect(200);
  });
});

it('a moderation case says whether the lister, the author or another customer has sent each report', async () => {
  await reply();
  await report().expect(201);
  await report(undefined, { by: lister }).expect(201);
  await report(undefined, { by: author, about: 'reply' }).expect(201);
  expect(await readCases()).toMatchObject([{ reports: [{ by: 'author' }, { by: 'lister' }, { by: 'customer' }] }]);
});
