import { once } from 'node:events';
import { connect } from 'node:net';
import { limits } from '@rtr/shared';
import sharp, { type Sharp } from 'sharp';
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { bearer } from './support/bearer.ts';
import { drawPicture } from './support/draw-picture.ts';
import { createTestApp, type TestCustomer } from './support/test-app.ts';

const { api, apiClient, db, log, origin, signUp, takeWarnings } = await createTestApp();

let lena: TestCustomer;
let omar: TestCustomer;
beforeAll(async () => {
  lena = await signUp({ name: 'Lena' });
  omar = await signUp({ name: 'Omar' });
});

const jpeg = (width: number, height = width) => drawPicture(width, height).jpeg().toBuffer();

const upload = (bytes: Buffer, customer: TestCustomer, address = '203.0.113.99') =>
  api
    .post('/pictures')
    .set({ ...bearer(customer), 'Content-Type': 'image/jpeg', 'X-Forwarded-For': address })
    .send(bytes);

test('POST /pictures returns 429 to a customer who has two uploads in progress, and to an address that has four, but not to others, and only until these uploads end', async () => {
  const bytes = await jpeg(8);
  const [nora, paul] = await Promise.all([signUp(), signUp()]);
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const uploads = [lena, lena, omar, omar].map((customer) => startSlowUpload(customer, '203.0.113.1', 4));
  await expect.poll(() => isLimited(lena, '203.0.113.2')).toBe(true);
  await expect.poll(() => isLimited(nora, '203.0.113.1')).toBe(true);
  const ofCustomer = await upload(bytes, lena, '203.0.113.2');
  const ofAddress = await upload(bytes, nora, '203.0.113.1');
  expect([ofCustomer.body, ofAddress.body]).toMatchObject([
    { limit: 'uploads-at-once', detail: expect.stringContaining('You are already uploading 2 pictures') },
    { limit: 'uploads-at-once', detail: expect.stringContaining('Your address is already uploading 4 pictures') },
  ]);
  expect([ofCustomer, ofAddress].map(({ headers }) => headers['retry-after'])).toEqual(['5', '5']);
  await upload(bytes, paul, '203.0.113.2').expect(201);
  for (const { stop } of uploads) stop();
  await expect.poll(async () => (await upload(bytes, lena, '203.0.113.2')).status).toBe(201);
  await upload(bytes, nora, '203.0.113.1').expect(201);
});

test('POST /pictures accepts pictures while four customers at four addresses announce 10 MB on two connections each and send 4 bytes, and ends these uploads with 408 after 5 s', async () => {
  const customers = await Promise.all([1, 2, 3, 4].map(() => signUp()));
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const uploads = customers.flatMap((customer, index) =>
    [1, 2].map(() => startSlowUpload(customer, `203.0.113.${index}`, 4)),
  );
  for (const [index, customer] of customers.entries())
    await expect.poll(() => isLimited(customer, `203.0.113.${index}`)).toBe(true);
  await upload(await jpeg(8), omar).expect(201);
  vi.advanceTimersByTime(5000);
  for (const response of await Promise.all(uploads.map(({ readResponse }) => readResponse()))) {
    expect(response).toMatch(/^HTTP\/1\.1 408 [^]*connection: close\r\n/i);
    expect(response).toContain('The picture arrives too slowly. Send it again.');
  }
});

test('an upload that sends 10 KB/s does not end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const bytes = await jpeg(8);
  const [first] = [1, 2].map(() => startSlowUpload(lena, '203.0.113.1', 50_000));
  await expect.poll(() => isLimited(lena, '203.0.113.1')).toBe(true);
  vi.advanceTimersByTime(5000);
  await upload(bytes, lena).expect(429);
  vi.advanceTimersByTime(5000);
  expect(await first?.readResponse()).toMatch(/^HTTP\/1\.1 408 /);
});

test('POST /pictures returns 503 if the uploads in progress have sent more than 80 MB', async () => {
  // On a busy machine, sending this takes so long that the uploads would be too slow.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const customers = await Promise.all(Array.from({ length: 9 }, () => signUp()));
  const uploads = customers.map((customer, index) => startSlowUpload(customer, `203.0.113.${index}`, 9_999_999));
  const response = await Promise.race(uploads.map(({ readResponse }) => readResponse()));
  expect(response).toMatch(/^HTTP\/1\.1 503 [^]*retry-after: 5\r\n/i);
  expect(response).toContain('Too many pictures are being uploaded right now. Try again.');
  await expect.poll(() => takeWarnings().join()).toContain('Too many pictures');
  for (const { stop } of uploads) stop();
  await expect.poll(async () => (await upload(await jpeg(8), omar)).status).toBe(201);
});

test('an aborted upload that waits for the decoder is not decoded, and one that is being decoded still counts towards the limit of its customer', async () => {
  const [first, second, third, fourth] = (await Promise.all([10, 11, 12, 13].map((width) => jpeg(width)))) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ];
  const decoder = holdDecoder();
  const sent = [startUpload(first, lena), startUpload(second, lena)];
  await expect.poll(decoder.heldCount).toBe(2);
  const reachedDecoder = new Promise((resolve) => {
    apiClient.on('commandSucceeded', ({ commandName }) => commandName === 'aggregate' && resolve(true));
  });
  sent.push(startUpload(third, omar));
  await reachedDecoder;
  const abortedBefore = countAborted();
  for (const abort of sent) abort();
  await expect.poll(() => countAborted() - abortedBefore).toBe(3);
  await upload(fourth, lena).expect(429);
  decoder.release();
  await expect.poll(async () => (await upload(fourth, lena)).status).toBe(201);
  await upload(fourth, omar).expect(201);
  expect(await db.collection('pictures').countDocuments({ uid: lena.uid, width: { $gte: 10 } })).toBe(3);
  expect(await db.collection('pictures').countDocuments({ uid: omar.uid, width: { $gte: 10 } })).toBe(1);
});

test('the API logs a warning if a picture cannot be decoded in time, even if the client has already disconnected', async () => {
  const bytes = await jpeg(14);
  const decoder = holdDecoder();
  const abort = startUpload(bytes, lena);
  await expect.poll(decoder.heldCount).toBe(1);
  const abortedBefore = countAborted();
  abort();
  await expect.poll(() => countAborted() - abortedBefore).toBe(1);
  decoder.fail(new Error('timeout: 99% complete'));
  await expect.poll(() => takeWarnings().join()).toContain('timeout: 99% complete');
});

/** The request id of all uploads that `startUpload` starts. */
const requestId = 'started-upload';

/** Returns the number of these uploads that were aborted. */
function countAborted(): number {
  return log.filter((line) => line.includes(requestId) && line.includes('request aborted')).length;
}

/** Starts an upload. Returns a function that aborts it. */
function startUpload(body: Buffer, customer: TestCustomer): () => void {
  const controller = new AbortController();
  const headers = { ...bearer(customer), 'Content-Type': 'image/jpeg', 'X-Request-Id': requestId };
  const options = { method: 'POST', headers, body: new Uint8Array(body), signal: controller.signal };
  fetch(`${origin}/pictures`, options).catch(() => undefined);
  return () => controller.abort();
}

/**
 * Returns true if the API rejects another upload because of the uploads in progress. This other upload announces too many
 * bytes, so that the API also rejects it otherwise. It therefore never counts as an upload in progress itself.
 */
async function isLimited(customer: TestCustomer, address: string): Promise<boolean> {
  const { readResponse, stop } = startSlowUpload(customer, address, 0, limits.pictureBytes + 1);
  const response = await readResponse();
  stop();
  return response.startsWith('HTTP/1.1 429 ');
}

/**
 * Starts an upload that announces `length` bytes, sends only the first `byteCount` bytes, and keeps the connection open. `stop`
 * ends the connection. `readResponse` returns the response of the API, which arrives as one part.
 */
function startSlowUpload(
  customer: TestCustomer,
  address: string,
  byteCount: number,
  length: number = limits.pictureBytes,
) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => {});
  onTestFinished(() => void socket.destroy());
  const { Authorization } = bearer(customer);
  const headers = [
    'POST /pictures HTTP/1.1',
    'Host: kitchen.example',
    `X-Forwarded-For: ${address}`,
    `Authorization: ${Authorization}`,
    'Content-Type: image/jpeg',
    `Content-Length: ${length}`,
  ];
  socket.write(`${headers.join('\r\n')}\r\n\r\n`);
  socket.write(Buffer.alloc(byteCount));
  return { stop: () => void socket.destroy(), readResponse: async () => String(await once(socket, 'data')) };
}

/** Holds each picture in the decoder until `release` or `fail` is called. */
function holdDecoder() {
  const released = Promise.withResolvers<void>();
  const { toBuffer } = sharp.prototype;
  let heldCount = 0;
  const spy = vi.spyOn(sharp.prototype, 'toBuffer').mockImplementation(async function (
    this: Sharp,
    ...args: unknown[]
  ) {
    heldCount += 1;
    await released.promise;
    return Reflect.apply(toBuffer, this, args);
  } as never);
  onTestFinished(() => {
    released.resolve();
    spy.mockRestore();
  });
  return { heldCount: () => heldCount, release: released.resolve, fail: released.reject };
}
