import type { Lister, OwnReview, OwnService, Review, Service } from '@rtr/shared';
import { Collection } from 'mongodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { drawPicture } from './support/draw-picture.ts';
import { createModerationTest } from './support/moderation.ts';
import type { TestCustomer } from './support/test-app.ts';

const app = await createModerationTest();
const { api, db, signUp, people, insert, report, act, readCase, readReports } = app;
const collections = getCollections(db);
const { services, reviews, reports, cases, pictures, blockedPictures } = collections;
const { moderation } = app.stores;
const external = 'https://pictures.example/hood.png';
const blockedText = 'A moderator has removed this picture, so it cannot be used again. Choose another one.';

let service: string;
beforeEach(async () => {
  const all = [services, reviews, reports, cases, pictures, blockedPictures];
  await Promise.all(all.map((collection) => (collection as unknown as Collection).deleteMany({})));
  service = await insert('/services', people.lister, { title: 'Hood repair', img: external });
});
afterEach(() => {
  vi.restoreAllMocks();
});

async function upload(customer: TestCustomer, width: number, status = 201) {
  const request = api.post('/pictures').set({ ...bearer(customer), 'Content-Type': 'image/png' });
  return (await request.send(await drawPicture(width).png().toBuffer()).expect(status)).body;
}
const uploadUrl = async (customer: TestCustomer, width: number): Promise<string> => (await upload(customer, width)).url;
async function read<T>(path: string, customer?: TestCustomer): Promise<T> {
  const headers = customer ? bearer(customer) : {};
  return (await api.get(path).set(headers).expect(200)).body;
}
const write = (fields: object = {}) =>
  insert('/review', people.author, { serviceId: service, review: 'They came at night.', ...fields });
const edit = (fields: object, id = service) => api.patch(`/services/${id}`).set(bearer(people.lister)).send(fields);
const editReview = (id: string, fields: object) => api.patch(`/review/${id}`).set(bearer(people.author)).send(fields);
const readService = (id = service) => read<Service>(`/services/${id}`);
const readReview = (id: string) => read<Review>(`/review/${id}`);
/** Reports the picture of the service or the photos of a review, and removes them as a moderator. */
async function remove(path = `/services/${service}`, caseId = `service-${service}`) {
  await report(path, 'picture');
  return (await act(caseId, { action: 'hide', part: 'picture', reason: 'A face' }).expect(200)).body;
}
const removePhotos = (review: string) => remove(`/review/${review}`, `review-${review}`);
const lift = (caseId = `service-${service}`) =>
  act(caseId, { action: 'restore', part: 'picture', reason: 'It was a mistake' }).expect(200);
const statusesOf = async (url: string) => {
  const path = new URL(url).pathname;
  const widths = ['', '?w=320', '?w=640', '?w=1280'];
  return new Set(await Promise.all(widths.map(async (width) => (await api.get(`${path}${width}`)).status)));
};
const later = () => new Date(Date.now() + 61_000);

describe('a picture of a service that a moderator removes', () => {
  it('leaves the service and its reviews, and the lister reads the reason until they add another picture', async () => {
    const review = await write();
    const other = await insert('/services', people.lister, { title: 'Duct repair', img: external });
    const body = await remove();
    expect(body).toMatchObject({ status: 'closed', service: { img: '' } });
    expect(await readService()).toMatchObject({ title: 'Hood repair', img: '' });
    expect(await readService()).not.toHaveProperty('removedPicture');
    expect((await readReview(review)).img).toBe('');
    expect((await readService(other)).img).toBe(external);
    const own = async () => (await read<OwnService[]>(`/account/services?serviceId=${service}`, people.lister))[0];
    expect(await own()).toMatchObject({ img: '', removedPicture: { reason: 'A face' } });
    await edit({ title: 'Hood cleaning', img: '' }).expect(200);
    expect(await own()).toMatchObject({ removedPicture: { reason: 'A face' } });
    await edit({ img: 'https://pictures.example/other.png' }).expect(200);
    expect(await own()).not.toHaveProperty('removedPicture');
  });

  it.each([
    external,
    `${external}#1`,
    `${external}?`,
    ` ${external} `,
    'HTTPS://PICTURES.Example/hood.png',
    'http://pictures.example/hood.png',
    'https://pictures.example:443/hood.png',
    'https://pictures.example./hood.png',
    'https://pictures.example/./a/../hood.png',
    String.raw`https:\\pictures.example\hood.png`,
    'https://pictures.example/%68ood.png',
  ])(
    'is rejected with 409 in the spelling “%s”, and can be used again after a moderator has lifted the block',
    async (img) => {
      await remove();
      const other = await insert('/services', people.lister, { title: 'Duct repair' });
      const added = await api.post('/services').set(bearer(people.author)).send({ title: 'Mine', img }).expect(409);
      const edited = await edit({ img }, other).expect(409);
      for (const { body } of [added, edited])
        expect(body).toMatchObject({ detail: blockedText, errors: [{ path: 'body.img' }] });
      await lift();
      expect((await readService()).img).toBe('');
      await edit({ img }).expect(200);
      expect((await readService()).img).toBe(img.startsWith('http:') ? img : external);
    },
  );

  it('is not copied into an access token as a profile picture', async () => {
    await remove();
    const customer = await signUp({ name: 'Ida', picture: external });
    const review = await insert('/review', customer, { serviceId: service, review: 'By Ida' });
    expect((await readReview(review)).costomerImg).toBe('');
  });

  it('loses its file and every other use by its customer if it was uploaded', async () => {
    const img = await uploadUrl(people.lister, 8);
    await edit({ img }).expect(200);
    const other = await insert('/services', people.lister, { title: 'Duct repair', img });
    const [review, ofOther] = [await write(), await write({ serviceId: other })];
    expect(await statusesOf(img)).toEqual(new Set([200]));
    await remove();
    expect(await statusesOf(img)).toEqual(new Set([404]));
    expect([await readService(), await readService(other)]).toMatchObject([{ img: '' }, { img: '' }]);
    for (const id of [review, ofOther]) expect((await readReview(id)).img).toBe('');
    expect((await edit({ img }).expect(409)).body.detail).toBe(blockedText);
  });

  it('leaves the page of the lister if it is also their profile picture', async () => {
    const picture = await uploadUrl(people.lister, 9);
    const { listerId } = await readService();
    const stored = { picture: new URL(picture).pathname };
    await collections.listers.updateOne({ _id: people.lister.uid }, { $set: stored });
    expect(await read<Lister>(`/listers/${listerId}`)).toMatchObject({ picture });
    await edit({ img: picture }).expect(200);
    await remove();
    expect(await read<Lister>(`/listers/${listerId}`)).toMatchObject({ picture: '' });
  });

  it('cannot be uploaded again by anyone until a moderator lifts the block', async () => {
    const img = await uploadUrl(people.lister, 8);
    await edit({ img }).expect(200);
    await remove();
    for (const customer of [people.lister, people.author])
      expect(await upload(customer, 8, 409)).toMatchObject({ title: 'Conflict', detail: blockedText });
    await upload(people.lister, 9);
    await lift();
    expect(await statusesOf(img)).toEqual(new Set([404]));
    expect(await uploadUrl(people.lister, 8)).toBe(img);
  });

  it('does not come back in a review that was being inserted during the removal, after the sweep has run', async () => {
    const insertOne = Collection.prototype.insertOne as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(Collection.prototype, 'insertOne').mockImplementation(async function call(this: Collection, ...args) {
      if (this.collectionName === 'reviews') await remove();
      return insertOne.apply(this, args) as never;
    });
    const review = await write();
    await moderation.sweep();
    expect((await readReview(review)).img).toBe('');
    await moderation.sweep(later());
    expect(await cases.countDocuments({ pending: 'picture' })).toBe(0);
  });

  it('does not make the sweep remove a picture again after another case has lifted its block', async () => {
    await remove();
    await moderation.sweep(later());
    const other = await insert('/services', people.lister, { title: 'Duct repair' });
    await services.updateMany({ title: 'Duct repair' }, { $set: { img: external } });
    await remove(`/services/${other}`, `service-${other}`);
    await lift(`service-${other}`);
    await edit({ img: 'https://pictures.example/other.png' }).expect(200);
    await remove();
    await edit({ img: external }).expect(200);
    await moderation.sweep(later());
    expect((await readService()).img).toBe(external);
  });

  it('is a picture that the moderator has seen: an action gets 412 if the lister has replaced it, and 404 if there is none', async () => {
    await report(`/services/${service}`, 'picture').expect(201);
    const id = `service-${service}`;
    const seen = await readCase(id);
    await edit({ img: 'https://pictures.example/other.png' }).expect(200);
    const action = { action: 'hide', part: 'picture' };
    const { body } = await act(id, { ...action, version: seen?.version }).expect(412);
    expect(body.current.service.img).toBe('https://pictures.example/other.png');
    await edit({ img: '' }).expect(200);
    await act(id, action).expect(404);
    await act(id, { ...action, action: 'restore' }).expect(404);
  });
});

describe('photos of a review that a moderator removes', () => {
  it('leave the review, and its author reads the reason until they add other photos', async () => {
    const photos = [{ url: await uploadUrl(people.author, 8) }, { url: await uploadUrl(people.author, 9) }];
    const review = await write({ photos });
    const before = await readReview(review);
    await removePhotos(review);
    const { photos: _photos, ...rest } = before;
    expect(await readReview(review)).toEqual(rest);
    for (const { url } of photos) expect(await statusesOf(url)).toEqual(new Set([404]));
    const own = () => read<OwnReview>(`/review/${review}`, people.author);
    expect(await own()).toMatchObject({ removedPhotos: { reason: 'A face' } });
    await editReview(review, { review: 'They came late.', photos: [] }).expect(200);
    expect(await own()).toMatchObject({ removedPhotos: { reason: 'A face' } });
    await editReview(review, { photos: [{ url: await uploadUrl(people.author, 10) }] }).expect(200);
    expect(await own()).not.toHaveProperty('removedPhotos');
  });

  it('are rejected with 409 by number, and other photos can still be added', async () => {
    const [url, other] = [await uploadUrl(people.author, 8), await uploadUrl(people.author, 9)];
    await removePhotos(await write({ photos: [{ url }] }));
    const review = await write({ photos: [{ url: other }] });
    const photos = [{ url: other }, { url }];
    const problem = {
      detail: 'A moderator has removed photo 2, so it cannot be used again. Choose another one.',
      errors: [{ path: 'body.photos.1.url' }],
    };
    const fields = { serviceId: service, photos };
    const added = await api.post('/review').set(bearer(people.author)).send(fields).expect(409);
    const edited = await editReview(review, { photos }).expect(409);
    expect([added.body, edited.body]).toMatchObject([problem, problem]);
    await editReview(review, { photos: [{ url: other, alt: 'The hood' }] }).expect(200);
  });

  it('are only those that the moderator has seen, even if the author adds others at the same time', async () => {
    const [url, other] = [await uploadUrl(people.author, 8), await uploadUrl(people.author, 9)];
    const review = await write({ photos: [{ url }] });
    const updateOne = Collection.prototype.updateOne as (...args: unknown[]) => Promise<unknown>;
    vi.spyOn(Collection.prototype, 'updateOne').mockImplementation(async function call(this: Collection, ...args) {
      if (this.collectionName !== 'blockedPictures') return updateOne.apply(this, args) as never;
      vi.restoreAllMocks();
      await editReview(review, { photos: [{ url }, { url: other }] }).expect(200);
      return updateOne.apply(this, args) as never;
    });
    await removePhotos(review);
    expect((await readReview(review)).photos).toMatchObject([{ url: other }]);
    expect(await statusesOf(other)).toEqual(new Set([200]));
  });
});

it('a picture that another customer has uploaded cannot become the picture of a service', async () => {
  const img = await uploadUrl(people.author, 8);
  const { body } = await edit({ img }).expect(400);
  expect(body.errors).toMatchObject([{ path: 'body.img' }]);
});

it('the outcome of the report about removed pictures stays “hidden” after their block was lifted, but a later report that is dismissed has the outcome “kept”', async () => {
  await remove();
  const hidden = { status: 'closed', outcome: 'hidden', hiddenPart: 'picture' };
  expect(await readReports()).toMatchObject([hidden]);
  await lift();
  expect(await readReports()).toMatchObject([hidden]);
  await edit({ img: 'https://pictures.example/other.png' }).expect(200);
  await report(`/services/${service}`, 'picture').expect(200);
  await act(`service-${service}`, { action: 'dismiss' }).expect(200);
  expect(await readReports()).toMatchObject([{ outcome: 'kept' }]);
});
