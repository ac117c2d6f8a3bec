import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Collection, type CommandStartedEvent, MongoError, MongoServerError } from 'mongodb';
import sharp from 'sharp';
import { afterEach, describe, expect, inject, test, vi } from 'vitest';
import { mongoClientOptions } from '../src/database/client.ts';
import { getCollections } from '../src/database/collections.ts';
import { noQuotas } from '../src/quotas.ts';
import { createStores } from '../src/stores.ts';
import { drawPicture } from './support/draw-picture.ts';
import { startMongodbProxy } from './support/tcp-proxy.ts';
import { createTestApp } from './support/test-app.ts';

const sockets = new Set<Socket>();
subscribe('net.client.socket', (message) => {
  const { socket } = message as { socket: Socket };
  sockets.add(socket.once('close', () => sockets.delete(socket)));
});
const mongodb = await startMongodbProxy(inject('mongodbUri'));
const { api, apiClient, config, db, identity, signUp, takeWarnings } = await createTestApp({ mongodbUri: mongodb.uri });
const limited = await createTestApp({ mongodbUri: mongodb.uri, env: { RATE_LIMITS: 'on' } });
const smallPool = await createTestApp({ mongodbUri: `${mongodb.uri}&maxPoolSize=1` });
const customer = await signUp();
const bearer = { Authorization: `Bearer ${customer.jwt}` };

afterEach(async () => {
  vi.restoreAllMocks();
  apiClient.removeAllListeners('commandStarted').removeAllListeners('serverHeartbeatStarted');
  await mongodb.reconnect();
});

describe.for([
  ['rejects connections', () => mongodb.disconnect()],
  ['does not respond', async () => mongodb.stall()],
] as const)('while the database %s,', ([, interrupt]) => {
  test('the API keeps running, reports that it is not ready, returns 503, and later recovers by itself', async () => {
    const { body: service } = await api.post('/services').set(bearer).send({ title: 'Before' }).expect(201);
    await api.get('/readyz').expect(200);
    await interrupt();

    await api.get('/healthz').expect(200);
    const started = performance.now();
    const [ready, read, streamed, own, login, written, edited] = await Promise.all([
      api.get('/readyz').expect(503),
      api.get(`/services/${service.insertedId}`).expect(503),
      api.get('/services').expect(503),
      api.get(`/review?email=${customer.email}`).set(bearer).expect(503),
      api
        .post('/jwt')
        .set({ Authorization: `Bearer ${customer.idToken}` })
        .send({ email: customer.email })
        .expect(503),
      api.post('/services').set(bearer).send({ title: 'Meanwhile' }).expect(503),
      api.patch(`/services/${service.insertedId}`).set(bearer).send({ title: 'Meanwhile' }).expect(503),
    ]);
    expect(performance.now() - started).toBeLessThan(10_000);
    for (const { headers, body } of [ready, read, streamed, own, login]) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(body.detail).toBe('The database does not respond right now. Try again in a few seconds.');
    }
    expect(written.body.detail).toMatch(/database does not respond .* may or may not have been saved.*Idempotency-Key/);
    expect(edited.body.detail).toMatch(/database does not respond .* may or may not have been saved.* again\.$/);
    expect(takeWarnings()).toHaveLength(7);

    await mongodb.reconnect();
    await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
    takeWarnings();
    await api.get(`/services/${service.insertedId}`).expect(200);
    await api.post('/services').set(bearer).send({ title: 'After' }).expect(201);
  });
});

const noise = { type: 'gaussian', mean: 128, sigma: 60 } as const;
/** A picture that stays so large after its conversion that it does not fit in the socket buffers. */
const noisyPicture = await sharp({ create: { width: 1280, height: 5120, channels: 3, background: 'white', noise } })
  .jpeg({ quality: 50 })
  .toBuffer();

describe.for([
  ['stops reading from the connection while the API stores a picture', () => {}],
  [
    'stops reading and closes the connection while the API stores a picture',
    () => setImmediate(() => void mongodb.disconnect()),
  ],
] as const)('if the database %s,', ([, interrupt]) => {
  test('the upload of the picture returns 503', async () => {
    const upload = api
      .post('/pictures')
      .set({ ...bearer, 'Content-Type': 'image/jpeg' })
      .send(noisyPicture);
    apiClient.on('commandStarted', ({ commandName }) => {
      if (commandName !== 'insert') return;
      mongodb.stopReading();
      interrupt();
    });
    const { headers } = await upload.expect(503);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    expect(takeWarnings()).toHaveLength(1);
    await mongodb.reconnect();
    await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
    takeWarnings();
  });
});

test('if the database fails before the handler of a write starts, the response does not say that the write may have been saved', async () => {
  const author = await limited.signUp();
  await mongodb.disconnect();
  const { body } = await limited.api
    .post('/services')
    .set({ Authorization: `Bearer ${author.jwt}` })
    .send({ title: 'Not counted' })
    .expect(503);
  expect(body.detail).toBe('The database does not respond right now. Try again in a few seconds.');
  expect(limited.takeWarnings()).toHaveLength(1);
});

// The first error is from mongos. The others are those of MongoDB on a full disk, which
// packages/bench/faults/full-disk.test.ts tests with a real disk.
test.each([
  { code: 133, message: 'Could not find host matching read preference { mode: "primary" } for set shard0' },
  { code: 8, message: '28: No space left on device - ' },
  { code: 14_031, message: 'available disk space of 0 bytes is less than required minimum of 524288000' },
])('a write returns 503 when the database responds with the error "$message"', async (error) => {
  vi.spyOn(Collection.prototype, 'insertOne').mockRejectedValue(new MongoServerError(error));
  const { headers, body } = await api.post('/services').set(bearer).send({ title: 'Full' }).expect(503);
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(body.detail).toMatch(/may or may not have been saved/);
  expect(takeWarnings()).toHaveLength(1);
});

test('the API recovers when the socket of a heartbeat is destroyed just before the driver writes to it', async () => {
  let destroyedCount = 0;
  // The driver writes only one heartbeat command to a connection. MongoDB then streams the answers to later heartbeats. So
  // destroy the connections three times: the driver reconnects each time, and writes the heartbeat command again.
  apiClient.on('serverHeartbeatStarted', () => {
    if (destroyedCount < 3) destroyedCount += destroyDatabaseSockets() > 0 ? 1 : 0;
  });
  await expect.poll(() => destroyedCount).toBe(3);
  await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
  takeWarnings();
});

test('a request returns 503 when the socket is destroyed just before the driver writes the command to it', async () => {
  apiClient.on('commandStarted', ({ commandName }) => commandName === 'insert' && destroyDatabaseSockets());
  await api.post('/services').set(bearer).send({ title: 'Destroyed' }).expect(503);
  expect(takeWarnings()).toHaveLength(1);
  await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
  takeWarnings();
});

test('if the database stalls, a write fails after its own timeout, not already after the timeout of a heartbeat', async () => {
  const services = apiClient.db(config.mongodbDatabase).collection('services');
  await services.findOne();
  await once(apiClient, 'serverHeartbeatSucceeded');
  mongodb.stall();
  const stalledAt = performance.now();
  // Start the write when the next heartbeat is due, so that both wait for the stalled database at the same time.
  await expect
    .poll(() => performance.now() - stalledAt, { interval: 5 })
    .toBeGreaterThan(mongoClientOptions.heartbeatFrequencyMS);
  await expect(services.insertOne({})).rejects.toThrow('timed out');
  await mongodb.reconnect();
  await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
  takeWarnings();
});

test('reads that wait for a connection succeed if the database stalls for less than `waitQueueTimeoutMS`', async () => {
  expect(mongoClientOptions.waitQueueTimeoutMS).toBeGreaterThan(1500);
  await smallPool.api.get('/services?limit=1').expect(200);
  mongodb.stopReading();
  const reads = Promise.all([1, 2, 3].map((limit) => smallPool.api.get(`/services?limit=${limit}`)));
  await sleep(300); // Much shorter than the timeout, so that the test does not need a fast machine.
  await mongodb.reconnect();
  expect((await reads).map(({ status }) => status)).toEqual([200, 200, 200]);
});

test('the deletion of an account returns 503 when the database stops responding during a bulk write', async () => {
  const author = await signUp();
  const { body: service } = await api.post('/services').set(bearer).send({ title: 'Hood' }).expect(201);
  const authorization = { Authorization: `Bearer ${author.jwt}` };
  await api.post('/review').set(authorization).send({ serviceId: service.insertedId }).expect(201);
  // After the tombstone is written, the account deletion updates the reviewed services with a bulk write.
  const stall = ({ commandName, command }: CommandStartedEvent) => {
    if (commandName === 'update' && command.update === 'services') mongodb.stall();
  };
  apiClient.on('commandStarted', stall);
  await api
    .delete('/account')
    .set({ Authorization: `Bearer ${author.idToken}` })
    .expect(503);
  apiClient.off('commandStarted', stall);
  expect(takeWarnings()).toHaveLength(1);
  await mongodb.reconnect();
  await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
  takeWarnings();
});

test('the sweep that deletes unused pictures examines no further pictures after the database has disconnected', async () => {
  for (const width of [8, 9]) {
    const bytes = await drawPicture(width).jpeg().toBuffer();
    await api
      .post('/pictures')
      .set({ ...bearer, 'Content-Type': 'image/jpeg' })
      .send(bytes)
      .expect(201);
  }
  await getCollections(db).pictures.updateMany({}, { $set: { createdAt: new Date(0) } });
  const { pictures } = createStores(getCollections(apiClient.db(config.mongodbDatabase)), config.webOrigins, noQuotas);
  apiClient.on('commandStarted', ({ command }) => command.find === 'services' && void mongodb.disconnect());
  await expect(pictures.sweep(identity)).rejects.toHaveProperty('errors', [expect.any(MongoError)]);
  await mongodb.reconnect();
  await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
  takeWarnings();
});

test('requests in progress return 200 or 503, but never 500, when the database disconnects', async () => {
  const { body: service } = await api.post('/services').set(bearer).send({ title: 'In progress' }).expect(201);
  for (let round = 0; round < 2; round += 1) {
    const requests = Array.from({ length: 40 }, () => api.get(`/services/${service.insertedId}`));
    const responses = Promise.all(requests);
    // When the first response arrives, other requests are still in progress.
    await Promise.race(requests);
    await mongodb.disconnect();
    for (const { status } of await responses) expect([200, 503]).toContain(status);
    await mongodb.reconnect();
    await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
    takeWarnings();
  }
});

/** Destroys the connected sockets of the database clients. Returns their number. */
function destroyDatabaseSockets(): number {
  const connected = [...sockets].filter((socket) => `${socket.remoteAddress}:${socket.remotePort}` === mongodb.host);
  for (const socket of connected) socket.destroy();
  return connected.length;
}
