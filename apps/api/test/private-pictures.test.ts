import type { Review } from '@rtr/shared';
import sharp from 'sharp';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createSweeps } from '../src/app.ts';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { createConversationTest } from './support/conversations.ts';
import { drawPicture } from './support/draw-picture.ts';
import { createModerationTest } from './support/moderation.ts';
import type { TestCustomer } from './support/test-app.ts';

const app = await createModerationTest();
const { api, db, config, identity, operate, people, signUp, signIn, act } = app;
const { ask, send, begin, reply, read, list, close, addService, uploadPrivate } = createConversationTest(app);
const { conversations, messages, pictures, blockedPictures, services } = getCollections(db);

let lister: TestCustomer;
let customer: TestCustomer;
let service: string;
let id: string;
beforeAll(() => {
  lister = people.lister;
  customer = people.author;
});
beforeEach(async () => {
  await Promise.all([conversations.deleteMany({}), messages.deleteMany({}), services.deleteMany({})]);
  await Promise.all([pictures.deleteMany({}), blockedPictures.deleteMany({})]);
  service = await addService(lister);
  id = await uploadPrivate(customer, 400);
});

const get = (reader: TestCustomer | undefined, path: string) => api.get(path).set(reader ? bearer(reader) : {});
const photos = () => [{ id, alt: 'The hood' }];
const statusFor = async (reader: TestCustomer) => (await get(reader, `/pictures/p/${id}`)).status;
/** Runs the sweeps as if all pictures had been uploaded and used `hours` hours earlier. */
async function sweepLater(hours: number): Promise<void> {
  const earlier = (field: string) => ({ $dateSubtract: { startDate: field, unit: 'hour', amount: hours } });
  await pictures.updateMany({}, [{ $set: { createdAt: earlier('$createdAt'), usedAt: earlier('$usedAt') } }]);
  for (const sweep of createSweeps(db, identity, config.webOrigins)) await sweep();
}

describe('a private picture', () => {
  it('can be read by its uploader in three widths, and no cache may store it', async () => {
    for (const [query, width] of [
      ['', 400],
      ['?w=320', 320],
    ] as const) {
      const { body, headers } = await get(customer, `/pictures/p/${id}${query}`).buffer(true).expect(200);
      expect(headers).toMatchObject({ 'content-type': 'image/webp', 'cache-control': 'private, no-store' });
      expect((await sharp(body as Buffer).metadata()).width).toBe(width);
    }
    await get(customer, `/pictures/p/${id}?w=1`).expect(400);
  });

  it('can be read by the recipient of a message with it, and by nobody else', async () => {
    expect(await statusFor(lister)).toBe(404);
    const conversation = await begin(customer, service, { photos: photos() });
    expect(await read(lister, conversation)).toMatchObject({ messages: [{ text: '', photos: photos() }] });
    expect(await list(lister)).toMatchObject([{ lastMessage: { excerpt: '' } }]);
    for (const reader of [customer, lister]) expect(await statusFor(reader)).toBe(200);
    for (const reader of [people.reader, people.moderator]) expect(await statusFor(reader)).toBe(404);
    await get(undefined, `/pictures/p/${id}`).expect(401);
    await close(lister, conversation).expect(204);
    expect(await statusFor(lister)).toBe(200);
  });

  it('can also be sent in a later message, and to several people', async () => {
    const conversation = await begin(customer, service);
    await reply(customer, conversation, { text: 'Here', photos: photos() });
    await begin(customer, await addService(people.reader), { photos: photos() });
    expect([await statusFor(lister), await statusFor(people.reader)]).toEqual([200, 200]);
  });

  it('can be sent only by its uploader', async () => {
    const conversation = await begin(customer, service, { photos: photos() });
    const { body } = await send(lister, conversation, { text: 'Yours', photos: photos() }).expect(400);
    expect(body.errors).toMatchObject([{ path: 'body.photos.0.id' }]);
    await ask(people.reader, service, { photos: photos() }).expect(400);
    expect(await messages.countDocuments()).toBe(1);
  });

  it('has no public address, and cannot be the photo of a review or the picture of a service or a customer', async () => {
    await begin(customer, service, { photos: photos() });
    const url = `${config.webOrigins[0]}/pictures/u/${id}`;
    for (const reader of [undefined, customer, lister]) await get(reader, `/pictures/u/${id}`).expect(404);
    const post = (path: string, content: object) => api.post(path).set(bearer(customer)).send(content);
    await post('/services', { title: 'Hood', img: url }).expect(400);
    await post('/review', { serviceId: service, review: 'Good', photos: [{ url }] }).expect(400);
    const own = await addService(customer);
    await api.patch(`/services/${own}`).set(bearer(customer)).send({ img: url }).expect(400);
    await expect(operate('uses-of', url)).rejects.toThrow('There is no picture');
  });

  it('is another picture than the public one that is uploaded from the same file', async () => {
    const file = await drawPicture(400).png().toBuffer();
    const upload = api.post('/pictures').set({ ...bearer(customer), 'Content-Type': 'image/png' });
    const { url } = (await upload.send(file).expect(201)).body as { url: string };
    expect(url).not.toContain(id);
    expect(await uploadPrivate(customer, 400)).toBe(id);
    await begin(customer, service, { photos: photos() });
    const publicId = url.split('/').at(-1) ?? '';
    await get(customer, `/pictures/p/${publicId}`).expect(404);
    await send(customer, (await list(customer))[0]?._id ?? '', { photos: [{ id: publicId }] }).expect(400);
  });

  it('counts in the quota of pictures, and its content can be blocked by a moderator', async () => {
    const [template] = await pictures.find().toArray();
    await pictures.insertMany(Array.from({ length: 299 }, (_, index) => ({ ...template, _id: `${index}` }) as never));
    const file = await drawPicture(410).png().toBuffer();
    const upload = () =>
      api
        .post('/pictures/p')
        .set({ ...bearer(customer), 'Content-Type': 'image/png' })
        .send(file);
    expect((await upload().expect(429)).body.limit).toBe('pictures-per-customer');
    await pictures.deleteMany({});
    const { id: uploaded } = (await upload().expect(201)).body as { id: string };
    const contentHash = (await pictures.findOne({ _id: uploaded }))?.contentHash ?? '';
    await blockedPictures.insertOne({ _id: '/pictures/u/1', at: new Date(), contentHash });
    await upload().expect(409);
  });

  it('must be a picture in a supported format, and needs a token', async () => {
    const upload = api.post('/pictures/p').set('Content-Type', 'image/png');
    await upload.send(await drawPicture(8).png().toBuffer()).expect(401);
    const { body } = await api
      .post('/pictures/p')
      .set({ ...bearer(customer), 'Content-Type': 'text/plain' })
      .send('x')
      .expect(415);
    expect(body.detail).toContain('image/png');
  });

  it('is deleted two days after its upload unless a message contains it', async () => {
    const unused = await uploadPrivate(customer, 420);
    await begin(customer, service, { photos: photos() });
    for (let day = 0; day < 3; day += 1) await sweepLater(25);
    await get(customer, `/pictures/p/${unused}`).expect(404);
    expect(await statusFor(lister)).toBe(200);
  });

  it('can be read by its uploader only, while the message is hidden', async () => {
    const conversation = await begin(customer, service, { photos: photos() });
    const [message] = (await read(lister, conversation)).messages;
    await api.post(`/messages/${message?._id}/report`).set(bearer(lister)).send({ reason: 'abuse' }).expect(201);
    await act(`message-${message?._id}`, { action: 'hide' }).expect(200);
    expect([await statusFor(customer), await statusFor(lister)]).toEqual([200, 404]);
    await act(`message-${message?._id}`, { action: 'restore' }).expect(200);
    expect(await statusFor(lister)).toBe(200);
  });
});

describe('after the deletion of an account', () => {
  const leave = async (leaving: TestCustomer) =>
    api
      .delete('/account')
      .set(bearer(await signIn(leaving)))
      .expect(200);

  it('its private pictures are gone, also from the messages, and the photos of the other participant stay', async () => {
    const leaving = await signUp();
    const photo = { id: await uploadPrivate(leaving, 400), alt: '' };
    const conversation = await begin(leaving, service, { text: 'Look', photos: [photo] });
    const own = { id: await uploadPrivate(lister, 400), alt: '' };
    await reply(lister, conversation, { photos: [own] });
    await leave(leaving);
    await get(lister, `/pictures/p/${photo.id}`).expect(404);
    await get(lister, `/pictures/p/${own.id}`).expect(200);
    const { messages: found } = await read(lister, conversation);
    expect(found.map((message) => message.photos)).toEqual([undefined, [own]]);
  });
});

describe('an uploaded profile picture', () => {
  it('stays while a conversation shows it, and leaves the conversation when a moderator removes it', async () => {
    const upload = api.post('/pictures').set({ ...bearer(people.reader), 'Content-Type': 'image/png' });
    const { url } = (await upload.send(await drawPicture(430).png().toBuffer()).expect(201)).body as { url: string };
    const other = await signUp({ name: 'Lina' });
    await begin(other, service);
    const path = new URL(url).pathname;
    await conversations.updateMany({}, { $set: { 'customer.picture': path } });
    for (let day = 0; day < 3; day += 1) await sweepLater(25);
    await api.get(path).expect(200);
    const shown = async () => (await list(lister))[0]?.other.picture;
    expect(await shown()).toBe(url);

    const serviceId = await addService(people.reader, { img: url });
    await api.post(`/services/${serviceId}/report`).set(bearer(customer)).send({ reason: 'spam', about: 'picture' });
    await act(`service-${serviceId}`, { action: 'hide', part: 'picture' }).expect(200);
    expect(await shown()).toBe('');
  });
});

it('a public read does not contain anything of a conversation', async () => {
  await begin(customer, service, { text: 'Secret words', photos: photos() });
  const { body: reviews } = await api.get(`/allreview?serviceId=${service}`).expect(200);
  expect(reviews satisfies Review[]).toEqual([]);
  for (const path of [`/services/${service}`, '/services', '/sitemap.xml'])
    expect((await api.get(path).expect(200)).text).not.toMatch(/Secret words/);
});
