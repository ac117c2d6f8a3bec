import sharp from 'sharp';
import { beforeEach, describe, expect, it } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { drawPicture } from './support/draw-picture.ts';
import { createModerationTest } from './support/moderation.ts';

const app = await createModerationTest();
const { api, db, people, insert, report, act, readCases } = app;
const { services, reviews, reports, cases, pictures } = getCollections(db);

let service: string;
beforeEach(async () => {
  await Promise.all([services, reviews, reports, cases].map((collection) => collection.deleteMany({})));
  await pictures.deleteMany();
  service = await insert('/services', people.lister, { title: 'Hood repair' });
});

async function upload(width: number): Promise<string> {
  const request = api.post('/pictures').set({ ...bearer(people.author), 'Content-Type': 'image/png' });
  return (await request.send(await drawPicture(width).png().toBuffer()).expect(201)).body.url;
}
const write = (urls: string[]) =>
  insert('/review', people.author, { serviceId: service, review: 'At night.', photos: urls.map((url) => ({ url })) });
const setPhotos = (review: string, urls: string[]) =>
  api
    .patch(`/review/${review}`)
    .set(bearer(people.author))
    .send({ photos: urls.map((url) => ({ url })) })
    .expect(200);
const idOf = (url: string) => new URL(url).pathname.slice('/pictures/u/'.length);
const pathOf = (url: string) => `/moderation/pictures/${idOf(url)}`;
async function hidePhotosOf(review: string): Promise<void> {
  await report(`/review/${review}`, 'picture').expect(201);
  await act(`review-${review}`, { action: 'hide', part: 'picture' }).expect(200);
}

describe('GET /moderation/pictures/:id', () => {
  it('returns the file of a hidden picture to a moderator, in its largest width, and no cache may store the response', async () => {
    const url = await upload(1280);
    await hidePhotosOf(await write([url]));
    await api.get(new URL(url).pathname).expect(404);
    const response = await api.get(pathOf(url)).set(bearer(people.moderator)).buffer(true).expect(200);
    expect(response.headers).toMatchObject({
      'content-type': 'image/webp',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    });
    expect(response.headers).not.toHaveProperty('etag');
    expect(await sharp(response.body as Buffer).metadata()).toMatchObject({ format: 'webp', width: 1280 });
    // The public address returns 404 even to the moderator who has just seen the picture.
    await api.get(new URL(url).pathname).expect(404);
    await api.get(new URL(url).pathname).set(bearer(people.moderator)).expect(404);
  });

  it('returns 404 to customers who are not moderators, even to the one who has uploaded the picture, and 401 without a token', async () => {
    const url = await upload(8);
    await hidePhotosOf(await write([url]));
    for (const customer of [people.author, people.lister, people.reader]) {
      const { body, headers } = await api.get(pathOf(url)).set(bearer(customer)).expect(404);
      expect(body.detail).toBe(`Nothing exists at ${pathOf(url)}. See /docs for all routes.`);
      expect(headers['cache-control']).toBe('no-store');
    }
    await api.get(pathOf(url)).expect(401);
    await api.get(`${pathOf(url)}?access_token=${people.moderator.jwt}`).expect(401);
  });

  it('returns visible pictures too, and 404 for an unknown picture', async () => {
    const url = await upload(8);
    await api.get(pathOf(url)).set(bearer(people.moderator)).expect(200);
    for (const id of ['0'.repeat(24), 'nonsense'])
      await api.get(`/moderation/pictures/${id}`).set(bearer(people.moderator)).expect(404);
  });
});

describe('a moderation case', () => {
  it('contains the address of each hidden picture until a moderator restores the picture, even if the customer has removed it', async () => {
    const [removed, remaining, visible] = [await upload(8), await upload(9), await upload(10)];
    const review = await write([removed, remaining]);
    await hidePhotosOf(review);
    await setPhotos(review, [remaining, visible]);
    const [row] = await readCases('closed');
    expect(row?.hiddenPictures).toEqual({ current: 1, replaced: 1, urls: [removed, remaining] });
    expect(row?.review?.photos).toMatchObject([{ url: remaining }, { url: visible }]);
    await act(`review-${review}`, { action: 'restore', part: 'picture', replaced: true }).expect(200);
    expect((await readCases('closed'))[0]?.hiddenPictures).toEqual({ current: 1, replaced: 0, urls: [remaining] });
  });

  it('about a service contains the address of the hidden picture of the service', async () => {
    const img = 'https://pictures.example/hood.png';
    await api.patch(`/services/${service}`).set(bearer(people.lister)).send({ img }).expect(200);
    await report(`/services/${service}`, 'picture').expect(201);
    expect((await readCases('open'))[0]?.hiddenPictures).toEqual({ current: 0, replaced: 0, urls: [] });
    await act(`service-${service}`, { action: 'hide', part: 'picture' }).expect(200);
    expect((await readCases('closed'))[0]?.hiddenPictures).toEqual({ current: 1, replaced: 0, urls: [img] });
  });

  it('does not contain the addresses of hidden pictures any more after their customer has deleted the review or withdrawn the service', async () => {
    const img = await upload(8);
    const review = await write([img]);
    await hidePhotosOf(review);
    await api
      .patch(`/services/${service}`)
      .set(bearer(people.lister))
      .send({ img: 'https://pictures.example/hood.png' });
    await report(`/services/${service}`, 'picture').expect(201);
    await act(`service-${service}`, { action: 'hide', part: 'picture' }).expect(200);
    await api.delete(`/review/${review}`).set(bearer(people.author)).expect(200);
    await api.delete(`/services/${service}`).set(bearer(people.lister)).expect(200);
    const rows = await readCases('closed');
    expect(rows).toHaveLength(2);
    for (const row of rows) expect(row).not.toHaveProperty('hiddenPictures');
  });
});
