import type { OwnReview, OwnService, Review, Service } from '@rtr/shared';
import { Collection } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createSweeps } from '../src/app.ts';
import { getCollections } from '../src/database/collections.ts';
import { createStores } from '../src/stores.ts';
import { bearer } from './support/bearer.ts';
import { drawPicture } from './support/draw-picture.ts';
import { createModerationTest } from './support/moderation.ts';
import type { TestCustomer } from './support/test-app.ts';

const app = await createModerationTest();
const { api, db, config, identity, people, insert, report, act, readCases, readReports } = app;
const { services, reviews, reports, cases, audit, pictures } = getCollections(db);

let service: string;
beforeEach(async () => {
  await Promise.all([services, reviews, reports, cases, audit].map((collection) => collection.deleteMany({})));
  await pictures.deleteMany();
  service = await insert('/services', people.lister, {
    title: 'Hood repair',
    img: 'https://pictures.example/hood.png',
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function postPicture(customer: TestCustomer, width: number, status: number) {
  const request = api.post('/pictures').set({ ...bearer(customer), 'Content-Type': 'image/png' });
  return (await request.send(await drawPicture(width).png().toBuffer()).expect(status)).body;
}
const upload = async (customer: TestCustomer, width: number): Promise<string> =>
  (await postPicture(customer, width, 201)).url;
const read = async <T>(path: string, customer?: TestCustomer): Promise<T> =>
  (
    await api
      .get(path)
      .set(customer ? bearer(customer) : {})
      .expect(200)
  ).body as T;
const write = (fields: object = {}) =>
  insert('/review', people.author, { serviceId: service, review: 'They came at night.', ...fields });
const readService = () => read<Service>(`/services/${service}`);
const readOwnService = async () => (await read<OwnService[]>('/account/services', people.lister))[0];
const setPicture = (img: string) =>
  api.patch(`/services/${service}`).set(bearer(people.lister)).send({ img }).expect(200);
const actOnService = (action: string) =>
  act(`service-${service}`, { action, part: 'picture', reason: 'A stolen picture' }).expect(200);
/** Requests an uploaded picture in all widths. Returns the different status codes of the responses. */
const statusesOf = async (url: string) => {
  const path = new URL(url).pathname;
  const widths = ['', '?w=320', '?w=640', '?w=1280'];
  return new Set(await Promise.all(widths.map(async (width) => (await api.get(`${path}${width}`)).status)));
};

describe('when a moderator hides the picture of a service, the picture', () => {
  const img = 'https://pictures.example/hood.png';

  it('is hidden in all existing reviews of this service, even for their authors, until a moderator restores it', async () => {
    const review = await write();
    const other = await insert('/services', people.lister, { title: 'Duct repair', img });
    const ofOther = await insert('/review', people.author, { serviceId: other, review: 'Well done' });
    await report(`/services/${service}`, 'picture').expect(201);
    const pictureOf = async (id: string) => {
      const [[listed], [own], single] = await Promise.all([
        read<Review[]>(`/allreview?serviceId=${id === ofOther ? other : service}`),
        read<OwnReview[]>(
          `/review?email=${people.author.email}&serviceId=${id === ofOther ? other : service}`,
          people.author,
        ),
        read<Review>(`/review/${id}`),
      ]);
      return [listed?.img, own?.img, single.img];
    };
    expect(await pictureOf(review)).toEqual([img, img, img]);
    await actOnService('hide');
    expect(await pictureOf(review)).toEqual(['', '', '']);
    expect(await pictureOf(ofOther)).toEqual([img, img, img]);
    await actOnService('restore');
    expect(await pictureOf(review)).toEqual([img, img, img]);
  });

  // A service can have very many reviews, so hiding its picture must not update them.
  it('is hidden in the reviews of the service without a write to these reviews', async () => {
    await write();
    const before = await reviews.find().toArray();
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService('hide');
    expect(await read(`/allreview?serviceId=${service}`)).toMatchObject([{ img: '' }]);
    expect(await reviews.find().toArray()).toEqual(before);
  });

  it('appears again after it is restored, even in reviews that were written while it was hidden', async () => {
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService('hide');
    const review = await write();
    expect((await read<Review>(`/review/${review}`)).img).toBe('');
    await actOnService('restore');
    expect((await read<Review>(`/review/${review}`)).img).toBe(img);
  });

  it('is hidden in a review that is being inserted at the same time', async () => {
    await report(`/services/${service}`, 'picture').expect(201);
    const insertOne = Collection.prototype.insertOne as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(Collection.prototype, 'insertOne').mockImplementation(async function call(this: Collection, ...args) {
      if (this.collectionName === 'reviews') await actOnService('hide');
      return insertOne.apply(this, args) as never;
    });
    const review = await write();
    expect((await read<Review>(`/review/${review}`)).img).toBe('');
    expect(await read(`/allreview?serviceId=${service}`)).toMatchObject([{ img: '' }]);
  });

  it('is hidden in the review that the 412 response to an outdated edit contains', async () => {
    const review = await write();
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService('hide');
    const edit = api.patch(`/review/${review}`).set({ ...bearer(people.author), 'If-Match': '"0"' });
    const { body } = await edit.send({ review: 'They came late.' }).expect(412);
    expect(body.current.img).toBe('');
  });

  it('stays hidden if the lister removes it at the same time and later chooses it again', async () => {
    await report(`/services/${service}`, 'picture').expect(201);
    const findOne = Collection.prototype.findOne as (...args: unknown[]) => Promise<unknown>;
    let isPending = true;
    vi.spyOn(Collection.prototype, 'findOne').mockImplementation(async function call(this: Collection, ...args) {
      const result = await findOne.apply(this, args);
      if (isPending && this.collectionName === 'services') {
        isPending = false;
        await setPicture('');
      }
      return result;
    });
    await actOnService('hide');
    expect((await readService()).img).toBe('');
    await setPicture(img);
    expect((await readService()).img).toBe('');
  });

  it.each([
    ['replaced', 'https://pictures.example/own.png'],
    ['removed', ''],
  ])('can still be restored after the lister has %s it', async (_title, other) => {
    const url = await upload(people.lister, 8);
    await setPicture(url);
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService('hide');
    await setPicture(other);
    expect(await statusesOf(url)).toEqual(new Set([404]));
    await actOnService('restore');
    expect(await statusesOf(url)).toEqual(new Set([200]));
    await setPicture(url);
    expect((await readService()).img).toBe(url);
  });

  it('stays hidden if the lister replaces it and later chooses it again, but the new picture is visible until a moderator hides it too', async () => {
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService('hide');
    await setPicture('https://pictures.example/own.png');
    expect((await readService()).img).toBe('https://pictures.example/own.png');
    expect(await readOwnService()).not.toHaveProperty('hiddenPicture');
    expect(await readReports()).toMatchObject([{ outcome: 'hidden', hiddenPart: 'picture' }]);
    await actOnService('hide');
    expect((await readService()).img).toBe('');
    await setPicture(img);
    expect((await readService()).img).toBe('');
    expect(await readOwnService()).toMatchObject({ img, hiddenPicture: { reason: 'A stolen picture' } });
    await actOnService('restore');
    expect((await readService()).img).toBe(img);
    await setPicture('https://pictures.example/own.png');
    expect((await readService()).img).toBe('');
  });
});

it('a moderator gets 404 when hiding the picture of a service whose lister has already removed the picture', async () => {
  await report(`/services/${service}`, 'picture').expect(201);
  await setPicture('');
  await act(`service-${service}`, { action: 'hide', part: 'picture' }).expect(404);
});

it('a moderator gets 400 for an action that hides a picture and has the field `replaced`, which is only for actions that restore pictures', async () => {
  await report(`/services/${service}`, 'picture').expect(201);
  const { body } = await act(`service-${service}`, { action: 'hide', part: 'picture', replaced: true }).expect(400);
  expect(body.errors).toMatchObject([{ path: 'body.replaced' }]);
});

describe('the current and the replaced picture of a service, which are both hidden,', () => {
  const [first, second] = ['https://pictures.example/first.png', 'https://pictures.example/second.png'];
  const restore = (fields: object) =>
    act(`service-${service}`, { action: 'restore', part: 'picture', reason: 'Their own picture', ...fields });
  const pictureAfterChoosing = async (img: string) => {
    await setPicture(img);
    return (await readService()).img;
  };
  beforeEach(async () => {
    await setPicture(first);
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService('hide');
    await setPicture(second);
    await actOnService('hide');
  });

  it('are counted separately in the moderation case', async () => {
    expect(await readCases('closed')).toMatchObject([{ hiddenPictures: { current: 1, replaced: 1 } }]);
    await setPicture('https://pictures.example/third.png');
    expect(await readCases('closed')).toMatchObject([{ hidden: {}, hiddenPictures: { current: 0, replaced: 2 } }]);
  });

  it('can be restored independently of each other', async () => {
    const { body } = await restore({ replaced: true }).expect(200);
    expect(body).toMatchObject({ hidden: { picture: {} }, hiddenPictures: { current: 1, replaced: 0 } });
    expect(await pictureAfterChoosing(first)).toBe(first);
    expect(await pictureAfterChoosing(second)).toBe('');
    const again = await restore({ replaced: true }).expect(404);
    expect(again.body.detail).toBe('No replaced or removed picture is hidden. Read the case again.');
    await restore({}).expect(200);
    expect(await pictureAfterChoosing(second)).toBe(second);
  });
});

describe('when a moderator hides the photos of a review, these photos', () => {
  it('stay hidden, but photos that the author adds later are visible', async () => {
    const [first, second] = [await upload(people.author, 8), await upload(people.author, 9)];
    const review = await write({ photos: [{ url: first }] });
    await report(`/review/${review}`, 'picture').expect(201);
    await act(`review-${review}`, { action: 'hide', part: 'picture', reason: 'A face' }).expect(200);
    expect(await read(`/review/${review}`)).not.toHaveProperty('photos');
    const photos = [
      { url: first, alt: '' },
      { url: second, alt: 'The hood' },
    ];
    await api.patch(`/review/${review}`).set(bearer(people.author)).send({ photos }).expect(200);
    expect(await read(`/review/${review}`)).toMatchObject({ photos: [photos[1]] });
    expect(await read(`/review/${review}`, people.author)).toMatchObject({
      photos,
      hiddenPhotos: { reason: 'A face' },
    });
    const [only] = await readCases('closed');
    expect(only).toMatchObject({ review: { photos }, hidden: {}, hiddenPictures: { current: 1, replaced: 0 } });
    await report(`/review/${review}`, 'picture').expect(200);
    await act(`review-${review}`, { action: 'dismiss', reason: '' }).expect(200);
    expect(await readReports()).toMatchObject([{ outcome: 'kept' }]);
  });
});

describe('the file of a hidden picture', () => {
  it('returns 404 in all widths while the picture is hidden, and can be read again afterwards', async () => {
    const url = await upload(people.lister, 8);
    await setPicture(url);
    await report(`/services/${service}`, 'picture').expect(201);
    expect(await statusesOf(url)).toEqual(new Set([200]));
    await actOnService('hide');
    expect(await statusesOf(url)).toEqual(new Set([404]));
    const { headers } = await api.get(new URL(url).pathname).expect(404);
    expect(headers['cache-control']).toBe('no-store');
    await actOnService('restore');
    expect(await statusesOf(url)).toEqual(new Set([200]));
  });

  it('can still be read if the picture is hidden only in a service, and another customer uploaded the picture for a review', async () => {
    const url = await upload(people.author, 8);
    const photos = [{ url, alt: '' }];
    const review = await write({ photos });
    await setPicture(url);
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService('hide');
    expect((await readService()).img).toBe('');
    expect(await read(`/review/${review}`)).toMatchObject({ photos });
    expect(await statusesOf(url)).toEqual(new Set([200]));
  });

  it('returns 404 until the picture is restored in both reviews in which it was hidden', async () => {
    const url = await upload(people.author, 8);
    const ids = [await write({ photos: [{ url }] }), await write({ photos: [{ url }] })];
    for (const id of ids) {
      await report(`/review/${id}`, 'picture').expect(201);
      await act(`review-${id}`, { action: 'hide', part: 'picture' }).expect(200);
    }
    await act(`review-${ids[0]}`, { action: 'restore', part: 'picture' }).expect(200);
    expect(await statusesOf(url)).toEqual(new Set([404]));
    await act(`review-${ids[1]}`, { action: 'restore', part: 'picture' }).expect(200);
    expect(await statusesOf(url)).toEqual(new Set([200]));
  });

  it('cannot be uploaded again by the same customer until the picture is restored', async () => {
    const url = await upload(people.lister, 8);
    await setPicture(url);
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService('hide');
    const problem = await postPicture(people.lister, 8, 409);
    expect(problem).toMatchObject({
      title: 'Conflict',
      detail: 'A moderator has hidden this picture. Choose another one.',
    });
    expect(await upload(people.author, 8)).not.toBe(url);
    await actOnService('restore');
    expect(await upload(people.lister, 8)).toBe(url);
  });

  it('cannot be added to a service, but services that already show it can still be edited', async () => {
    const url = await upload(people.lister, 8);
    await setPicture(url);
    const earlier = await insert('/services', people.lister, { title: 'Duct repair', img: url });
    const other = await insert('/services', people.lister, { title: 'Gas safety' });
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService('hide');
    const problem = {
      detail: 'A moderator has hidden this picture. Choose another one.',
      errors: [{ path: 'body.img' }],
    };
    const asLister = bearer(people.lister);
    const added = await api.post('/services').set(asLister).send({ title: 'Cold rooms', img: url }).expect(409);
    const edited = await api.patch(`/services/${other}`).set(asLister).send({ img: url }).expect(409);
    expect([added.body, edited.body]).toMatchObject([problem, problem]);
    expect(await read(`/services/${other}`)).toMatchObject({ img: '' });
    await api.patch(`/services/${earlier}`).set(asLister).send({ title: 'Duct cleaning', img: url }).expect(200);
    await actOnService('restore');
    await api.patch(`/services/${other}`).set(asLister).send({ img: url }).expect(200);
  });

  it('cannot be added to a review, but reviews that already show it can still be edited', async () => {
    const [url, visible] = [await upload(people.author, 8), await upload(people.author, 9)];
    const [hidden, earlier] = [await write({ photos: [{ url }] }), await write({ photos: [{ url }] })];
    const other = await write();
    await report(`/review/${hidden}`, 'picture').expect(201);
    await act(`review-${hidden}`, { action: 'hide', part: 'picture' }).expect(200);
    const photos = [{ url: visible }, { url }];
    const asAuthor = bearer(people.author);
    const fields = { serviceId: service, review: 'They came at noon.', photos };
    const added = await api.post('/review').set(asAuthor).send(fields).expect(409);
    expect(added.body).toMatchObject({
      detail: 'A moderator has hidden photo 2. Choose another one.',
      errors: [{ path: 'body.photos.1.url' }],
    });
    await api.patch(`/review/${other}`).set(asAuthor).send({ photos }).expect(409);
    expect(await read(`/review/${other}`)).not.toHaveProperty('photos');
    await api.patch(`/review/${earlier}`).set(asAuthor).send({ photos }).expect(200);
  });

  it('can be added to a review if a moderator restores the picture while the API adds the review', async () => {
    const photos = [{ url: await upload(people.author, 8) }];
    const id = await write({ photos });
    await report(`/review/${id}`, 'picture').expect(201);
    await act(`review-${id}`, { action: 'hide', part: 'picture' }).expect(200);
    const bulkWrite = Collection.prototype.bulkWrite as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(Collection.prototype, 'bulkWrite').mockImplementationOnce(async function call(this: Collection, ...args) {
      const result = await bulkWrite.apply(this, args);
      await act(`review-${id}`, { action: 'restore', part: 'picture' }).expect(200);
      return result as never;
    });
    const review = await write({ photos });
    expect(await read(`/review/${review}`)).toMatchObject({ photos });
  });

  it('is kept by the sweep that deletes unused pictures if a moderator restores the picture while the API adds a review with the picture', async () => {
    const url = await upload(people.author, 8);
    const id = await write({ photos: [{ url }] });
    await report(`/review/${id}`, 'picture').expect(201);
    await act(`review-${id}`, { action: 'hide', part: 'picture' }).expect(200);
    await api.patch(`/review/${id}`).set(bearer(people.author)).send({ photos: [] }).expect(200);
    await pictures.updateMany({}, { $set: { usedAt: null, createdAt: new Date(Date.now() - 25 * 3_600_000) } });
    const { sweep } = createStores(getCollections(db), config.webOrigins).pictures;
    const isExamined = Promise.withResolvers<void>();
    const isAdded = Promise.withResolvers<string>();
    let sweeping: Promise<void> | undefined;
    const bulkWrite = Collection.prototype.bulkWrite as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(Collection.prototype, 'bulkWrite').mockImplementationOnce(async function call(this: Collection, ...args) {
      const result = await bulkWrite.apply(this, args);
      await act(`review-${id}`, { action: 'restore', part: 'picture' }).expect(200);
      // The sweep reads the profile picture last, and waits here until the API has added the review.
      const findPicture = () => {
        isExamined.resolve();
        return isAdded.promise;
      };
      sweeping = sweep({ findPicture });
      await isExamined.promise;
      return result as never;
    });
    await write({ photos: [{ url }] });
    isAdded.resolve('');
    await sweeping;
    expect(await statusesOf(url)).toEqual(new Set([200]));
  });

  it('returns 404 even after the customer has removed the picture, waited for days and tried to upload it again', async () => {
    const url = await upload(people.lister, 8);
    await setPicture(url);
    await report(`/services/${service}`, 'picture').expect(201);
    await actOnService('hide');
    await setPicture('');
    for (let day = 0; day < 3; day += 1) {
      const yesterday = (field: string) => ({ $dateSubtract: { startDate: field, unit: 'hour', amount: 25 } });
      await pictures.updateMany({}, [{ $set: { createdAt: yesterday('$createdAt'), usedAt: yesterday('$usedAt') } }]);
      for (const sweep of createSweeps(db, identity, config.webOrigins)) await sweep();
    }
    await postPicture(people.lister, 8, 409);
    expect(await statusesOf(url)).toEqual(new Set([404]));
  });
});
