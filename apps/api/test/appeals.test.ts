import { beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { createModerationTest } from './support/moderation.ts';

const { api, db, operate, signUp, signIn, people, insert, report, act, readCase, readCases, readReports } =
  await createModerationTest();
const { services, reviews, reports, cases, blockedPictures } = getCollections(db);

let service: string;
let review: string;
beforeEach(async () => {
  await Promise.all([services, reviews, reports, cases].map((collection) => collection.deleteMany({})));
  await blockedPictures.deleteMany();
  service = await insert('/services', people.lister, {
    title: 'Hood repair',
    img: 'https://pictures.example/hood.png',
  });
  review = await insert('/review', people.author, { serviceId: service, review: 'They came at night.' });
});

const appeal = (path: string, by = people.author, fields: object = {}) =>
  api
    .post(`${path}/appeal`)
    .set(bearer(by))
    .send({ text: 'It is true.', ...fields });
const hideReview = async () => {
  await report(`/review/${review}`);
  await act(`review-${review}`, { action: 'hide' }).expect(200);
};
const readOwn = async (path: string, by = people.author) => (await api.get(path).set(bearer(by)).expect(200)).body;

describe('the author of a hidden review', () => {
  it('opens the case again with a text, once per decision, and the reports stay answered', async () => {
    await hideReview();
    await appeal(`/review/${review}`).expect(204);
    expect(await readCases('open')).toMatchObject([
      {
        _id: `review-${review}`,
        status: 'open',
        hidden: { review: {} },
        reports: [
          { by: 'author', about: 'review', reason: 'appeal', text: 'It is true.', status: 'open' },
          { by: 'customer', status: 'closed' },
        ],
        history: [{ action: 'hide' }],
      },
    ]);
    expect(await readReports()).toMatchObject([{ status: 'closed', outcome: 'hidden' }]);
    expect(await readOwn(`/review/${review}`)).toMatchObject({ hidden: { isAppealed: true } });
    const { body } = await appeal(`/review/${review}`).expect(403);
    expect(body.detail).toBe('You have already asked for another look at this decision.');
    await act(`review-${review}`, { action: 'dismiss' }).expect(200);
    expect(await readCase(`review-${review}`)).toMatchObject({ status: 'closed', hidden: { review: {} } });
    await appeal(`/review/${review}`).expect(403);
  });

  it('can ask again after a new decision', async () => {
    await hideReview();
    await appeal(`/review/${review}`).expect(204);
    await act(`review-${review}`, { action: 'restore' }).expect(200);
    await appeal(`/review/${review}`).expect(404);
    await act(`review-${review}`, { action: 'hide' }).expect(200);
    expect((await readOwn(`/review/${review}`)).hidden).not.toHaveProperty('isAppealed');
    await appeal(`/review/${review}`).expect(204);
  });

  it('can ask for another look at the decision of an operator, although there is no case yet', async () => {
    await operate('hide', 'review', review);
    await appeal(`/review/${review}`).expect(204);
    expect(await readCases('open')).toMatchObject([{ reports: [{ reason: 'appeal' }], history: [] }]);
    await act(`review-${review}`, { action: 'restore' }).expect(200);
    await api.get(`/review/${review}`).expect(200);
  });

  it('makes a decision outdated that a moderator takes without having read the text', async () => {
    await hideReview();
    const version = (await readCase(`review-${review}`))?.version;
    await appeal(`/review/${review}`).expect(204);
    await act(`review-${review}`, { action: 'dismiss', version }).expect(412);
  });

  it('gets only one case and one text from several requests at the same time', async () => {
    await operate('hide', 'review', review);
    const statuses = await Promise.all([1, 2, 3].map(async () => (await appeal(`/review/${review}`)).status));
    expect(statuses.toSorted((one, other) => one - other)).toEqual([204, 403, 403]);
    expect((await readCase(`review-${review}`))?.reportCount).toBe(1);
  });
});

it('the lister can ask for another look at a hidden service, a removed picture and a hidden reply', async () => {
  await api.put(`/review/${review}/reply`).set(bearer(people.lister)).send({ text: 'At noon.' }).expect(200);
  await report(`/review/${review}`, 'reply').expect(201);
  await act(`review-${review}`, { action: 'hide', part: 'reply' }).expect(200);
  await report(`/services/${service}`).expect(201);
  await act(`service-${service}`, { action: 'hide', part: 'picture' }).expect(200);
  await act(`service-${service}`, { action: 'hide' }).expect(200);
  await appeal(`/review/${review}`, people.lister, { about: 'reply' }).expect(204);
  for (const about of ['picture', 'service'])
    await appeal(`/services/${service}`, people.lister, { about }).expect(204);
  const isAppealed = true;
  const [own] = await readOwn('/account/services', people.lister);
  expect(own).toMatchObject({ hidden: { isAppealed }, removedPicture: { isAppealed } });
  expect(await readOwn('/account/replies', people.lister)).toMatchObject([{ hidden: { isAppealed } }]);
  await act(`service-${service}`, { action: 'restore' }).expect(200);
  await act(`service-${service}`, { action: 'hide' }).expect(200);
  expect((await readOwn('/account/services', people.lister))[0].hidden).not.toHaveProperty('isAppealed');
});

it('nobody can ask for another look at visible content or at the content of others', async () => {
  await appeal(`/review/${review}`).expect(404);
  await appeal(`/services/${service}`, people.lister).expect(404);
  await hideReview();
  for (const by of [people.reader, people.lister]) await appeal(`/review/${review}`, by).expect(404);
  await appeal(`/review/${review}`, people.author, { about: 'picture' }).expect(404);
  for (const text of ['', ' \n', 'x'.repeat(501)])
    await appeal(`/review/${review}`, people.author, { text }).expect(400);
  expect((await readCase(`review-${review}`))?.reportCount).toBe(1);
});

it('the text of an author is erased with their account', async () => {
  const leaving = await signUp();
  const id = await insert('/review', leaving, { serviceId: service, review: 'Mine' });
  await operate('hide', 'review', id);
  await appeal(`/review/${id}`, leaving, { text: 'Secret words' }).expect(204);
  await api
    .delete('/account')
    .set(bearer(await signIn(leaving)))
    .expect(200);
  expect((await readCase(`review-${id}`))?.reports ?? []).toEqual([]);
});

it('the sender of a report reads the author and the first words of the reported part while it is public', async () => {
  await api
    .put(`/review/${review}/reply`)
    .set(bearer(people.lister))
    .send({ text: 'A'.repeat(150) })
    .expect(200);
  await report(`/review/${review}`).expect(201);
  await report(`/services/${service}`).expect(201);
  expect(await readReports()).toMatchObject([
    { target: { author: 'Mina Duct' } },
    { target: { author: 'Omar', excerpt: 'They came at night.' } },
  ]);
  await report(`/review/${review}`, 'reply').expect(200);
  expect((await readReports())[0]?.target).toMatchObject({ author: 'Mina Duct', excerpt: 'A'.repeat(100) });
  await act(`review-${review}`, { action: 'hide', part: 'reply' }).expect(200);
  expect((await readReports())[0]?.target).not.toHaveProperty('excerpt');
  await act(`review-${review}`, { action: 'hide' }).expect(200);
  expect((await readReports())[0]?.target).not.toHaveProperty('excerpt');
});
