import type { Review } from '@rtr/shared';
import { Collection } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { runMigrate } from '../src/run-migrate.ts';
import { createStores } from '../src/stores.ts';
import { bearer } from './support/bearer.ts';
import { drawPicture } from './support/draw-picture.ts';
import { createModerationTest } from './support/moderation.ts';
import type { TestCustomer } from './support/test-app.ts';

const app = await createModerationTest();
const { api, db, config, people, insert, report, act, readCases } = app;
const collections = getCollections(db);
const { services, reviews, reports, cases, pictures } = collections;
const { moderation } = createStores(collections, config.webOrigins);

/** An origin that is not in WEB_ORIGINS when the pictures are stored and hidden. */
const addedOrigin = 'https://added.example';
const migrate = () => runMigrate(db, [...config.webOrigins, addedOrigin]);

let service: string;
let review: string;
let path: string;
beforeEach(async () => {
  await Promise.all([services, reviews, reports, cases].map((collection) => collection.deleteMany({})));
  await pictures.deleteMany();
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function upload(customer: TestCustomer): Promise<string> {
  const request = api.post('/pictures').set({ ...bearer(customer), 'Content-Type': 'image/png' });
  const { body } = await request.send(await drawPicture(8).png().toBuffer()).expect(201);
  return new URL(body.url).pathname;
}
const addressOf = (picture: string) => `${config.webOrigins[0]}${picture}`;
const readReview = async (): Promise<Review> => (await api.get(`/review/${review}`).expect(200)).body;
const readPictures = async () => [
  (await api.get(`/services/${service}`).expect(200)).body.img,
  (await readReview()).img,
];

describe('when `migrate` replaces the address of a hidden picture of a service,', () => {
  // This URL contains the address of an uploaded picture, but does not start with it. So `migrate` must not change it.
  const foreign = `https://pictures.example/?url=${addedOrigin}/pictures/u/${'0'.repeat(24)}`;
  const setPicture = (img: string) =>
    api.patch(`/services/${service}`).set(bearer(people.lister)).send({ img }).expect(200);
  const hide = () => act(`service-${service}`, { action: 'hide', part: 'picture' }).expect(200);

  beforeEach(async () => {
    path = await upload(people.lister);
    service = await insert('/services', people.lister, { title: 'Hood repair', img: foreign });
    await report(`/services/${service}`, 'picture').expect(201);
    await hide();
    await setPicture(`${addedOrigin}${path}`);
    review = await insert('/review', people.author, { serviceId: service, review: 'They came at night.' });
    await hide();
  });

  it('the picture stays hidden, and its file is hidden, until a moderator restores the picture', async () => {
    expect(await readPictures()).toEqual(['', '']);
    await migrate();
    expect(await readPictures()).toEqual(['', '']);
    await api.get(path).expect(404);
    expect(await readCases('closed')).toMatchObject([
      { hiddenPictures: { current: 1, replaced: 1, urls: expect.arrayContaining([addressOf(path), foreign]) } },
    ]);
    await act(`service-${service}`, { action: 'restore', part: 'picture' }).expect(200);
    expect(await readPictures()).toEqual([addressOf(path), addressOf(path)]);
    await api.get(path).expect(200);
    await setPicture(foreign);
    expect((await readPictures())[0]).toBe('');
  });

  it('the picture is never shown, even if `migrate` is interrupted before any of its updates and then runs again', async () => {
    const updateMany = Collection.prototype.updateMany as (...args: unknown[]) => Promise<unknown>;
    let remaining = 0;
    vi.spyOn(Collection.prototype, 'updateMany').mockImplementation(async function call(this: Collection, ...args) {
      if (remaining === 0) throw new Error('interrupted');
      remaining -= 1;
      const result = await updateMany.apply(this, args);
      expect(await readPictures()).toEqual(['', '']);
      return result as never;
    });
    let interruptions = 0;
    for (let isDone = false; !isDone; interruptions += 1) {
      remaining = interruptions;
      isDone = await migrate().then(
        () => true,
        () => false,
      );
      expect(await readPictures()).toEqual(['', '']);
    }
    vi.restoreAllMocks();
    expect(interruptions).toBeGreaterThan(5);
    await api.get(path).expect(404);
    // An interrupted run may leave moderation actions unfinished. If the last run has no address to replace, it does not
    // finish them, but the sweep of the API does.
    await moderation.sweep();
    const stored = await Promise.all([services.findOne(), reviews.findOne(), cases.findOne()]);
    expect(stored).toMatchObject([{ img: path }, { img: path }, { pending: [] }]);
    expect(JSON.stringify(stored)).not.toContain(`"${addedOrigin}`);
    await migrate();
    expect(await Promise.all([services.findOne(), reviews.findOne(), cases.findOne()])).toEqual(stored);
  });
});

it.each([
  [
    'leaves interrupted actions of moderators to the API if no moderation case contains a full picture address',
    '',
    ['picture'],
  ],
  ['finishes interrupted actions of moderators on pictures whose addresses it replaces', addedOrigin, []],
])('`migrate` %s', async (_, origin, pending) => {
  path = await upload(people.lister);
  service = await insert('/services', people.lister, { title: 'Hood repair', img: addressOf(path) });
  await report(`/services/${service}`, 'picture').expect(201);
  await act(`service-${service}`, { action: 'hide', part: 'picture' }).expect(200);
  await cases.updateOne({}, { $set: { 'history.0.pictures': [`${origin}${path}`], pending: ['picture'] } });
  await migrate();
  expect(await cases.findOne()).toMatchObject({ pending, history: [{ pictures: [path] }] });
});

it('hidden photos of a review are still hidden after `migrate` has replaced their addresses', async () => {
  path = await upload(people.author);
  service = await insert('/services', people.lister, { title: 'Hood repair' });
  const photos = [{ url: addressOf(path) }];
  review = await insert('/review', people.author, { serviceId: service, review: 'They came at night.', photos });
  await reviews.updateOne({}, { $set: { 'photos.0.url': `${addedOrigin}${path}` } });
  await report(`/review/${review}`, 'picture').expect(201);
  await act(`review-${review}`, { action: 'hide', part: 'picture' }).expect(200);
  await migrate();
  expect(await readReview()).not.toHaveProperty('photos');
  await api.get(path).expect(404);
  await act(`review-${review}`, { action: 'restore', part: 'picture' }).expect(200);
  expect(await readReview()).toMatchObject({ photos });
  await api.get(path).expect(200);
});
