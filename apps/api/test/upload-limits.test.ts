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

const upload = (bytes: Buffer, customer: TestCustomer) =>
  api
    .post('/pictures')
    .set({ ...bearer(customer), 'Content-Type': 'image/jpeg' })
    .send(bytes);

test('POST /pictures returns 429 only to a customer who has two uploads in progress, and only until these uploads end', async () => {
  const stopUploads = stallUploads([lena, lena]);
  const bytes = await jpeg(8);
  await expect.poll(async () => (await upload(bytes, lena)).status).toBe(429);
  const { headers, body } = await upload(bytes, lena);
  expect(body).toMatchObject({ limit: 'uploads-at-once', detail: expect.stringContaining('2 pictures') });
  expect(headers['retry-after']).toBe('5');
  await upload(bytes, omar).expect(201);
  await stopUploads();
  await expect.poll(async () => (await upload(bytes, lena)).status).toBe(201);
});

test('POST /pictures returns 503 while eight uploads of unknown length are in progress, because each of them reserves 10 MB, and the limit for all uploads is 80 MB', async () => {
  const others = await Promise.all([1, 2, 3, 4].map(() => signUp()));
  const stopUploads = stallUploads([...others, ...others]);
  const bytes = await jpeg(8);
  await expect.poll(async () => (await upload(bytes, omar)).status).toBe(503);
  expect(takeWarnings()).toContainEqual(expect.stringContaining('Too many pictures'));
  await stopUploads();
  await expect.poll(async () => (await upload(bytes, omar)).status).toBe(201);
  // Each upload that got 503 has logged a warning.
  takeWarnings();
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

test('memory stays bounded while many large pictures are uploaded at the same time', async () => {
  const files = await Promise.all(Array.from({ length: 8 }, (_, index) => jpeg(6000 - index, 4000)));
  const customers = await Promise.all([1, 2, 3, 4].map(() => signUp()));
  const before = process.memoryUsage().rss;
  let peak = before;
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss);
  }, 10);
  const responses = await Promise.all(files.map((bytes, index) => upload(bytes, customers[index % 4] ?? lena)));
  clearInterval(timer);
  expect(responses.map(({ status }) => status)).toEqual(files.map(() => 201));
  // Only two pictures are decoded at the same time, which needs about 150 MB. Decoding all eight would need about 600 MB.
  expect(peak - before).toBeLessThan(400_000_000);
});

/** Returns the number of requests that clients have aborted. */
function countAborted(): number {
  return log.filter((line) => line.includes('request aborted')).length;
}

/** Starts an upload. Returns a function that aborts it. */
function startUpload(body: Buffer, customer: TestCustomer): () => void {
  const controller = new AbortController();
  const headers = { ...bearer(customer), 'Content-Type': 'image/jpeg' };
  const options = { method: 'POST', headers, body: new Uint8Array(body), signal: controller.signal };
  fetch(`${origin}/pictures`, options).catch(() => undefined);
  return () => controller.abort();
}

/**
 * Keeps one endless upload open for each customer. If the API rejects an upload, sends it again. Returns a function
 * that stops the uploads.
 */
function stallUploads(customers: readonly TestCustomer[]): () => Promise<void> {
  const stopped = new AbortController();
  const stall = async (customer: TestCustomer) => {
    while (!stopped.signal.aborted)
      await fetch(`${origin}/pictures`, {
        method: 'POST',
        headers: { ...bearer(customer), 'Content-Type': 'image/jpeg' },
        body: new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(10)) }),
        duplex: 'half',
        signal: stopped.signal,
      }).catch(() => undefined);
  };
  const stalled = customers.map(stall);
  const stop = async () => {
    stopped.abort();
    await Promise.all(stalled);
  };
  onTestFinished(stop);
  return stop;
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
