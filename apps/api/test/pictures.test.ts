import { crc32, deflateSync } from 'node:zlib';
import type { Review } from '@rtr/shared';
import sharp, { type Sharp } from 'sharp';
import { assert, beforeAll, beforeEach, describe, expect, inject, it, onTestFinished, vi } from 'vitest';
import { createSweeps } from '../src/app.ts';
import { getCollections } from '../src/database/collections.ts';
import { UnavailableError } from '../src/errors.ts';
import { bearer } from './support/bearer.ts';
import { drawPicture } from './support/draw-picture.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';
import { createTestApp, type TestApp, type TestCustomer } from './support/test-app.ts';

const firebase = await startTcpProxy(inject('authEmulatorHost'));
const { api, callFirebase, config, db, identity, stores, signUp, signIn, takeWarnings } = await createTestApp({
  authEmulatorHost: firebase.host,
});
/** An API with the same database, after the site has moved to another address. */
const moved = await createTestApp({
  env: { WEB_ORIGINS: 'https://moved.example', MONGODB_DATABASE: config.mongodbDatabase },
});
const collections = getCollections(db);
const { pictures } = collections;
const [webOrigin] = config.webOrigins;

let lena: TestCustomer;
let omar: TestCustomer;
beforeAll(async () => {
  lena = await signUp({ name: 'Lena' });
  omar = await signUp({ name: 'Omar' });
});
beforeEach(async () => {
  // Delete the rows of earlier tests. Several tests upload the same files, so old rows may contain the addresses of new
  // uploads.
  await Promise.all([pictures.deleteMany(), collections.services.deleteMany(), collections.reviews.deleteMany()]);
});

const jpeg = (width = 1600, height = 1200) => drawPicture(width, height).jpeg().toBuffer();

const upload = (bytes: Buffer, type = 'image/jpeg', customer = lena) =>
  api
    .post('/pictures')
    .set({ ...bearer(customer), 'Content-Type': type })
    .send(bytes);
const pathOf = (url: string) => url.slice(webOrigin.length);
const download = async (url: string, query = '') =>
  (
    await api
      .get(`${pathOf(url)}${query}`)
      .buffer(true)
      .expect(200)
  ).body as Buffer;
/** Runs the sweeps as if all pictures had been uploaded and used `hours` hours earlier. */
const sweepLater = async (hours: number) => {
  const earlier = (field: string) => ({ $dateSubtract: { startDate: field, unit: 'hour', amount: hours } });
  await pictures.updateMany({}, [{ $set: { createdAt: earlier('$createdAt'), usedAt: earlier('$usedAt') } }]);
  for (const sweep of createSweeps(db, identity, config.webOrigins)) await sweep();
};

describe('POST /pictures', () => {
  it('stores a picture as WebP in three widths, and lets caches keep the files for a year', async () => {
    const { body, headers } = await upload(await jpeg()).expect(201);
    expect(body).toEqual({
      url: expect.stringMatching(`^${webOrigin}/pictures/u/[0-9a-f]{24}$`),
      width: 1280,
      height: 960,
    });
    expect(headers.location).toBe(pathOf(body.url));
    for (const [query, width] of [
      ['', 1280],
      ['?w=320', 320],
      ['?w=640', 640],
      ['?w=1280', 1280],
    ] as const)
      expect(await sharp(await download(body.url, query)).metadata()).toMatchObject({ format: 'webp', width });
    const response = await api.get(pathOf(body.url)).expect(200);
    expect(response.headers).toMatchObject({
      'cache-control': 'public, max-age=31536000, immutable',
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
    });
  });

  it.each(['jpeg', 'png', 'webp', 'avif', 'gif'] as const)('accepts a picture in the format %s', async (format) => {
    const bytes = await drawPicture(64, 48).toFormat(format).toBuffer();
    const { body } = await upload(bytes, `image/${format}`).expect(201);
    expect(body).toMatchObject({ width: 64, height: 48 });
  });

  it('turns the picture upright and removes its metadata, such as the place where it was taken', async () => {
    const bytes = await drawPicture(40, 20)
      .jpeg()
      .withExif({ IFD0: { Orientation: '6', Copyright: 'Lena' }, IFD3: { GPSLatitudeRef: 'N' } })
      .withMetadata({ orientation: 6 })
      .toBuffer();
    const { body } = await upload(bytes).expect(201);
    expect(body).toMatchObject({ width: 20, height: 40 });
    const { exif, xmp, icc, orientation } = await sharp(await download(body.url)).metadata();
    expect({ exif, xmp, icc, orientation }).toEqual({});
  });

  it('returns the same address for the same file, but a different address if another customer uploads the file', async () => {
    const bytes = await jpeg();
    const [first, second, other] = await Promise.all([upload(bytes), upload(bytes), upload(bytes, 'image/jpeg', omar)]);
    expect([first.status, second.status, other.status]).toEqual([201, 201, 201]);
    expect(second.body).toEqual(first.body);
    expect(other.body.url).not.toBe(first.body.url);
    expect(await pictures.countDocuments({ uid: lena.uid })).toBe(1);
  });

  it('scales a very high picture down, because WebP limits the height', async () => {
    const { body } = await upload(await drawPicture(100, 20_000).png().toBuffer(), 'image/png').expect(201);
    expect(body.height).toBe(5120);
  });

  it.each([
    ['an SVG', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['an SVG that is sent as PNG', 'image/png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['a PDF that is sent as JPEG', 'image/jpeg', Buffer.from('%PDF-1.7\n')],
    ['JSON', 'application/json', Buffer.from('{}')],
    ['an empty body', 'image/png', Buffer.alloc(0)],
  ])('returns 415 for %s', async (_name, type, bytes) => {
    await upload(bytes, type).expect(415);
    expect(await pictures.countDocuments()).toBe(0);
  });

  it('returns 415 for a PNG that is sent as JPEG, and names both types', async () => {
    const { body } = await upload(await drawPicture(8, 8).png().toBuffer(), 'image/jpeg').expect(415);
    expect(body.detail).toMatch(/image\/png.*image\/jpeg/);
  });

  it('returns 400 for an incomplete picture, whether half of the file is missing or almost all of it', async () => {
    const bytes = await jpeg();
    for (const part of [bytes.subarray(0, bytes.length / 2), bytes.subarray(0, 20)])
      expect((await upload(part).expect(400)).body.detail).toMatch(/damaged or incomplete/);
  });

  it('removes everything but the picture from a file that is also a valid document of another type', async () => {
    const polyglot = Buffer.concat([await jpeg(), Buffer.from('<script>alert(1)</script>PK\x05\x06')]);
    const { body } = await upload(polyglot).expect(201);
    expect((await download(body.url)).includes('<script>')).toBe(false);
  });

  it('returns 413 for a small file that would decode to more than 50 megapixels, without decoding it', async () => {
    const before = process.memoryUsage().rss;
    const { body } = await upload(createPngBomb(30_000, 30_000), 'image/png').expect(413);
    expect(body.detail).toMatch(/50 megapixels/);
    expect(process.memoryUsage().rss - before).toBeLessThan(300_000_000);
  });

  it('returns 413 for an AVIF picture with more than 16 megapixels', async () => {
    const bytes = await drawPicture(64, 48).avif().toBuffer();
    // In an AVIF file, the box 'ispe' contains the width and the height of the picture.
    const size = bytes.indexOf('ispe') + 8;
    bytes.writeUInt32BE(4001, size);
    bytes.writeUInt32BE(4001, size + 4);
    const { body } = await upload(bytes, 'image/avif').expect(413);
    expect(body.detail).toMatch(/16 megapixels/);
  });

  it('returns 413 for a file over 10 MB', async () => {
    const { body } = await upload(Buffer.alloc(10_000_001, 0xff)).expect(413);
    expect(body.detail).toMatch(/10 MB/);
  });

  it.each([
    ['decoding', 0],
    ['encoding', 1],
  ])('returns 503 with Retry-After when %s takes too long', async (_step, completedCount) => {
    const bytes = await jpeg(8, 8);
    const { toBuffer } = sharp.prototype;
    const spy = vi.spyOn(sharp.prototype, 'toBuffer').mockImplementation(function (this: Sharp) {
      const isCompleted = spy.mock.calls.length <= completedCount;
      const result = isCompleted
        ? toBuffer.call(this, { resolveWithObject: true })
        : Promise.reject(new Error('timeout: 42% complete'));
      return result as never;
    });
    onTestFinished(() => spy.mockRestore());
    const { headers } = await upload(bytes).expect(503);
    expect(headers['retry-after']).toBe('5');
    expect(takeWarnings()).toHaveLength(1);
    expect(await pictures.countDocuments()).toBe(0);
  });

  it('returns 429 when the customer has 200 pictures, and still returns the address of one of these pictures when it is uploaded again', async () => {
    const bytes = await jpeg(8, 8);
    const { body } = await upload(bytes).expect(201);
    const stored = (await pictures.findOne()) ?? assert.fail();
    await pictures.insertMany(Array.from({ length: 199 }, (_, index) => ({ ...stored, _id: `copy ${index}` })));
    const rejected = await upload(await jpeg(9, 9)).expect(429);
    expect(rejected.body.limit).toBe('pictures-per-customer');
    expect((await upload(bytes).expect(201)).body).toEqual(body);
    await upload(await jpeg(9, 9), 'image/jpeg', omar).expect(201);
  });

  it('returns 429 when the pictures of the customer have 200 MB in total', async () => {
    await upload(await jpeg(8, 8)).expect(201);
    await pictures.updateMany({}, { $set: { bytes: 200_000_000 } });
    await upload(await jpeg(9, 9)).expect(429);
  });
});

describe('GET /pictures/u/:id', () => {
  it('returns 404 for an unknown picture, and 400 for an unsupported width', async () => {
    await api.get(`/pictures/u/${'0'.repeat(24)}`).expect(404);
    await api.get('/pictures/u/nonsense').expect(404);
    const { body } = await upload(await jpeg(8, 8)).expect(201);
    await api.get(`${pathOf(body.url)}?w=100`).expect(400);
  });

  it('forbids caches to store the response to a request with an access token', async () => {
    const { body } = await upload(await jpeg(8, 8)).expect(201);
    await api.get(pathOf(body.url)).set(bearer(lena)).expect(200).expect('Cache-Control', 'private, no-store');
  });
});

describe('an uploaded picture', () => {
  const addService = (img: string) => api.post('/services').set(bearer(lena)).send({ title: 'Hood', img });

  it('is not deleted as unused while it is the picture of a service', async () => {
    const { body } = await upload(await jpeg(8, 8)).expect(201);
    await addService(body.url).expect(201);
    await sweepLater(25);
    await download(body.url);
  });

  it('is deleted a day after its upload if it was never used', async () => {
    const { body } = await upload(await jpeg(8, 8)).expect(201);
    await sweepLater(23);
    await download(body.url);
    await sweepLater(25);
    await api.get(pathOf(body.url)).expect(404);
    const { body: problem } = await addService(body.url).expect(400);
    expect(problem.errors).toMatchObject([{ path: 'body.img' }]);
  });

  it('is not deleted a day after its upload if a new access token contains it as the profile picture', async () => {
    const customer = await signUp();
    const { body } = await upload(await jpeg(8, 8), 'image/jpeg', customer).expect(201);
    await callFirebase('update', { idToken: await signIn(customer), photoUrl: body.url, returnSecureToken: true });
    const jwt = api.post('/jwt').set(bearer(await signIn(customer)));
    await jwt.send({ email: customer.email }).expect(200);
    await sweepLater(25);
    await download(body.url);
  });

  it('is deleted with the account of its customer', async () => {
    const leaving = await signUp({ name: 'Leaving' });
    const { body } = await upload(await jpeg(8, 8), 'image/jpeg', leaving).expect(201);
    await api
      .delete('/account')
      .set(bearer(await signIn(leaving)))
      .expect(200);
    await api.get(pathOf(body.url)).expect(404);
  });
});

describe('the sweep that deletes unused pictures', () => {
  let url: string;
  beforeEach(async () => {
    url = (await upload(await jpeg(8, 8)).expect(201)).body.url;
  });
  const post = async (route: string, content: object, author = lena): Promise<string> =>
    (await api.post(route).set(bearer(author)).send(content).expect(201)).body.insertedId;
  const isKept = async () => (await pictures.countDocuments()) === 1;
  const sweepTwice = async () => {
    await sweepLater(25);
    await sweepLater(25);
  };

  it('deletes a picture one to two days after the service has stopped using it, and not before', async () => {
    const serviceId = await post('/services', { title: 'Hood', img: url });
    await sweepTwice();
    await api.patch(`/services/${serviceId}`).set(bearer(lena)).send({ img: '' }).expect(200);
    await sweepLater(25);
    expect(await isKept()).toBe(true);
    await sweepLater(23);
    expect(await isKept()).toBe(true);
    await sweepLater(2);
    expect(await isKept()).toBe(false);
  });

  it('keeps the picture of a deleted review and of a withdrawn service until the database erases them, and then deletes it', async () => {
    const serviceId = await post('/services', { title: 'Hood' }, omar);
    const reviewId = await post('/review', { serviceId, photos: [{ url }] });
    const ownId = await post('/services', { title: 'Duct', img: url });
    await api.delete(`/review/${reviewId}`).set(bearer(lena)).expect(200);
    await api.delete(`/services/${ownId}`).set(bearer(lena)).expect(200);
    await sweepTwice();
    expect(await isKept()).toBe(true);
    // Erases the deleted review, as the TTL index does a day after the deletion.
    await collections.reviews.deleteMany({});
    await sweepTwice();
    expect(await isKept()).toBe(true);
    // Erases the withdrawn service, as the TTL index does 30 days after the withdrawal.
    await collections.services.deleteMany({});
    await sweepTwice();
    expect(await isKept()).toBe(false);
  });

  it('keeps the former picture of a service while a review of this service still shows it', async () => {
    const serviceId = await post('/services', { title: 'Hood', img: url });
    await post('/review', { serviceId, review: 'Fits.' }, omar);
    await collections.services.updateMany({}, { $set: { img: '' } });
    await sweepTwice();
    expect(await isKept()).toBe(true);
  });

  it('keeps the profile picture of a customer, and deletes it after the customer has chosen another one', async () => {
    const customer = await signUp();
    await pictures.deleteMany();
    const { body } = await upload(await jpeg(9, 9), 'image/jpeg', customer).expect(201);
    const setPicture = async (photoUrl: string) =>
      callFirebase('update', { idToken: await signIn(customer), photoUrl, returnSecureToken: true });
    await setPicture(body.url);
    await api
      .post('/jwt')
      .set(bearer(await signIn(customer)))
      .send({ email: customer.email })
      .expect(200);
    await sweepTwice();
    expect(await isKept()).toBe(true);
    await setPicture('https://pictures.example/other.png');
    await sweepTwice();
    expect(await isKept()).toBe(false);
  });

  it('keeps a picture that a service uses again while the sweep examines the picture', async () => {
    await pictures.updateMany({}, { $set: { usedAt: null, createdAt: new Date(Date.now() - 25 * 3_600_000) } });
    const { sweep } = stores.pictures;
    const findPicture = async () => {
      await post('/services', { title: 'Hood', img: url });
      return '';
    };
    await sweep({ findPicture });
    expect(await isKept()).toBe(true);
  });

  it('deletes unused pictures even if the examination of another picture fails with an unexpected error', async () => {
    await upload(await jpeg(8, 8), 'image/jpeg', omar).expect(201);
    await pictures.updateMany({}, { $set: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
    const { sweep } = stores.pictures;
    const [first] = await pictures.find().toArray();
    const findPicture = async (uid: string) => {
      if (uid === first?.uid) throw new Error('unexpected');
      return '';
    };
    await expect(sweep({ findPicture })).rejects.toThrow(AggregateError);
    expect(await pictures.find().toArray()).toMatchObject([{ _id: first?._id }]);
  });

  it('examines no further pictures after a call to Firebase has timed out', async () => {
    await upload(await jpeg(8, 8), 'image/jpeg', omar).expect(201);
    await pictures.updateMany({}, { $set: { createdAt: new Date(Date.now() - 25 * 3_600_000) } });
    const { sweep } = stores.pictures;
    firebase.stall();
    onTestFinished(() => firebase.reconnect());
    await expect(sweep(identity)).rejects.toHaveProperty('errors', [expect.any(UnavailableError)]);
    expect(await pictures.countDocuments()).toBe(2);
    await firebase.reconnect();
    await sweep(identity);
    expect(await pictures.countDocuments()).toBe(0);
  });

  it('looks for a picture in services, reviews and conversations with queries that use indexes', async () => {
    await post('/services', { title: 'Hood', img: url });
    const lookups = [
      ['services', 'img'],
      ['reviews', 'img'],
      ['reviews', 'costomerImg'],
      ['reviews', 'photos.url'],
      ['conversations', 'customer.picture'],
      ['conversations', 'lister.picture'],
    ] as const;
    for (const [collection, field] of lookups) {
      const plan = await db
        .collection(collection)
        .find({ [field]: pathOf(url) })
        .explain('queryPlanner');
      expect(JSON.stringify(plan.queryPlanner.winningPlan)).toContain('"IXSCAN"');
    }
  });
});

describe('the address of an uploaded picture', () => {
  let path: string;
  let serviceId: string;

  /**
   * Uploads a picture, and uses it in a service, in a review and as a profile picture. The address of the picture has the
   * second origin of WEB_ORIGINS.
   */
  beforeEach(async () => {
    const { body } = await upload(await jpeg(8, 8)).expect(201);
    path = pathOf(body.url);
    const url = `${config.webOrigins[1]}${path}`;
    const post = async (route: string, content: object, author = lena): Promise<string> =>
      (await api.post(route).set(bearer(author)).send(content).expect(201)).body.insertedId;
    serviceId = await post('/services', { title: 'Hood', img: url });
    await post('/review', { serviceId, photos: [{ url }] });
    const customer = await signUp({ picture: url });
    await post('/review', { serviceId, review: 'By a customer with a picture' }, customer);
  });

  async function readAddresses({ api: reader }: Pick<TestApp, 'api'>) {
    const { body: service } = await reader.get(`/services/${serviceId}`).expect(200);
    const { body: reviews } = await reader.get(`/allreview?serviceId=${serviceId}`).expect(200);
    const [newest, oldest] = reviews as [Review, Review];
    return [service.img, newest.img, newest.costomerImg, oldest.photos?.[0]?.url];
  }

  it('is recognized with the second origin in WEB_ORIGINS, and has the first origin in responses', async () => {
    expect(await readAddresses({ api })).toEqual(Array(4).fill(`${webOrigin}${path}`));
    expect(await readAddresses(moved)).toEqual(Array(4).fill(`https://moved.example${path}`));
  });
});

it.each(['services', 'review'])(
  'a repeated POST /%s returns the same result as the first request, even after the picture was deleted',
  async (route) => {
    const { body: service } = await api.post('/services').set(bearer(omar)).send({ title: 'Hood' }).expect(201);
    const { url } = (await upload(await jpeg(8, 8)).expect(201)).body;
    const content =
      route === 'services' ? { title: 'Duct', img: url } : { serviceId: service.insertedId, photos: [{ url }] };
    const post = (key: string) =>
      api
        .post(`/${route}`)
        .set({ ...bearer(lena), 'Idempotency-Key': key })
        .send(content);
    const { body: first } = await post('first').expect(201);
    await pictures.deleteMany();
    expect((await post('first').expect(201)).body).toEqual(first);
    await post('second').expect(400);
  },
);

describe('the photos of a review', () => {
  const postReview = (body: object, headers = {}) =>
    api
      .post('/review')
      .set({ ...bearer(lena), ...headers })
      .send(body);
  const uploadUrl = async (side: number, customer = lena): Promise<string> =>
    (await upload(await jpeg(side, side), 'image/jpeg', customer).expect(201)).body.url;

  let serviceId: string;
  beforeEach(async () => {
    const { body } = await api.post('/services').set(bearer(omar)).send({ title: 'Hood' }).expect(201);
    serviceId = body.insertedId;
  });

  it('are in every response that contains the review, and are kept by the sweep that deletes unused pictures', async () => {
    const one = { url: await uploadUrl(8), alt: 'The new hood' };
    const url = await uploadUrl(9);
    const photos = [one, { url, alt: '' }];
    const { body } = await postReview({ serviceId, photos: [one, { url }] }).expect(201);
    await sweepLater(25);
    for (const photo of photos) await download(photo.url);
    const reads = [
      `/review/${body.insertedId}`,
      `/allreview?serviceId=${serviceId}`,
      `/allreview?serviceId=${serviceId}&limit=1`,
      `/review?email=${encodeURIComponent(lena.email)}&limit=1`,
    ];
    for (const path of reads) {
      const { body: read } = await api.get(path).set(bearer(lena)).expect(200);
      expect([read].flat()[0].photos).toEqual(photos);
    }
  });

  it('can be changed and removed', async () => {
    const [first, second] = [await uploadUrl(8), await uploadUrl(9)];
    const { body } = await postReview({ serviceId, photos: [{ url: first }] }).expect(201);
    const edit = (changes: object) => api.patch(`/review/${body.insertedId}`).set(bearer(lena)).send(changes);
    const read = async () => (await api.get(`/review/${body.insertedId}`).expect(200)).body;
    await edit({ photos: [{ url: second, alt: 'After' }] }).expect(200);
    expect((await read()).photos).toEqual([{ url: second, alt: 'After' }]);
    await edit({ review: 'Well done' }).expect(200);
    expect((await read()).photos).toEqual([{ url: second, alt: 'After' }]);
    await edit({ photos: [] }).expect(200);
    expect(await read()).not.toHaveProperty('photos');
  });

  it('must be at most four different pictures that the author has uploaded, with descriptions of at most 120 characters', async () => {
    const url = await uploadUrl(8);
    const rejected: [object[], string][] = [
      [[{ url: await uploadUrl(8, omar) }], 'body.photos.0.url'],
      [[{ url }, { url: `${webOrigin}/pictures/u/${'0'.repeat(24)}` }], 'body.photos.1.url'],
      [[{ url: `${url}?w=320` }], 'body.photos.0.url'],
      [[{ url: 'https://pictures.example/hood.jpg' }], 'body.photos.0.url'],
      [[{ url: '' }], 'body.photos.0.url'],
      [[{ url, alt: 'a'.repeat(121) }], 'body.photos.0.alt'],
      [[{ url }, { url }], 'body.photos'],
      [Array.from({ length: 5 }, (_, index) => ({ url: `${url}${index}` })), 'body.photos'],
    ];
    const { body: written } = await postReview({ serviceId, review: 'Well done' }).expect(201);
    for (const [photos, path] of rejected) {
      const { body } = await postReview({ serviceId, photos }).expect(400);
      expect(body.errors).toMatchObject([{ path }]);
      await api.patch(`/review/${written.insertedId}`).set(bearer(lena)).send({ photos }).expect(400);
    }
  });

  it('that do not exist any more are listed by number in the 400 response', async () => {
    const [url, other] = [await uploadUrl(8), await uploadUrl(9)];
    const photoOf = (digit: string) => ({ url: `${webOrigin}/pictures/u/${digit.repeat(24)}` });
    const { body: written } = await postReview({ serviceId, review: 'Well done' }).expect(201);
    const edit = (photos: object[]) => api.patch(`/review/${written.insertedId}`).set(bearer(lena)).send({ photos });
    const { body: one } = await postReview({ serviceId, photos: [{ url }, photoOf('1'), { url: other }] }).expect(400);
    expect(one).toMatchObject({
      detail: 'Photo 2 is missing. Remove it and upload it again.',
      errors: [{ path: 'body.photos.1.url' }],
    });
    const { body: several } = await edit([photoOf('1'), { url }, photoOf('2'), photoOf('3')]).expect(400);
    expect(several).toMatchObject({
      detail: 'Photos 1, 3, and 4 are missing. Remove them and upload them again.',
      errors: [{ path: 'body.photos.0.url' }, { path: 'body.photos.2.url' }, { path: 'body.photos.3.url' }],
    });
  });

  it('are part of the content that must be the same when an Idempotency-Key is repeated', async () => {
    const [first, second] = [await uploadUrl(8), await uploadUrl(9)];
    const headers = { 'Idempotency-Key': 'with photos' };
    const { body } = await postReview({ serviceId, photos: [{ url: first }] }, headers).expect(201);
    expect((await postReview({ serviceId, photos: [{ url: first, alt: '' }] }, headers).expect(201)).body).toEqual(
      body,
    );
    await postReview({ serviceId, photos: [{ url: second }] }, headers).expect(422);
    await postReview({ serviceId }, headers).expect(422);
  });
});

/** Creates a PNG file whose header contains this size. Its pixels compress to almost nothing. */
function createPngBomb(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([1, 0, 0, 0, 0], 8); // One bit per pixel, greyscale.
  const rows = Buffer.alloc((Math.ceil(width / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(rows)),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
