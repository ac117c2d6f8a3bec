import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createMetricsServer } from '@rtr/http-server/metrics';
import { contract } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import supertest from 'supertest';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { bearer } from './support/bearer.ts';
import { startMongodbProxy, startTcpProxy } from './support/tcp-proxy.ts';
import { createTestApp, type TestApp } from './support/test-app.ts';

const app = await createTestApp();
const { api, apiClient, db } = app;
const emulator = await startTcpProxy(inject('authEmulatorHost'));
const mongodb = await startMongodbProxy(inject('mongodbUri'));
afterEach(() => Promise.all([emulator.reconnect(), mongodb.reconnect()]));

async function series({ readMetrics }: Pick<TestApp, 'readMetrics'>, name: string): Promise<Record<string, number>> {
  const lines = (await readMetrics())
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return Object.fromEntries(
    lines.map((line) => {
      const [, labels = '', value] = /^[^{ ]+(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
      return [labels, Number(value)];
    }),
  );
}

async function labels(name: string, label: string): Promise<string[]> {
  const found = Object.keys(await series(app, name)).map(
    (key) => new RegExp(`${label}="([^"]*)"`).exec(key)?.[1] ?? '',
  );
  return [...new Set(found)].toSorted();
}

describe('the metrics of requests', () => {
  test('count requests and measure their duration by route pattern, without request data', async () => {
    const ids = Array.from({ length: 5 }, () => new ObjectId().toHexString());
    for (const id of ids) await api.get(`/services/${id}?utm=secret`).expect(400);
    for (const id of ids) await api.get(`/Services/${id}/`).expect(404);
    await api.get('/healthz').expect(200);
    await expect.poll(() => series(app, 'http_requests_in_flight')).toEqual({ '': 0 });
    expect(await series(app, 'http_requests_total')).toMatchObject({
      'method="GET",route="/services/:id",status="400"': 5,
      'method="GET",route="/services/:id",status="404"': 5,
      'method="GET",route="/healthz",status="200"': 1,
    });
    const timed = await series(app, 'http_request_duration_seconds_count');
    expect(timed['method="GET",route="/services/:id"']).toBe(10);
    expect(await app.readMetrics()).not.toMatch(new RegExp(`secret|${ids.join('|')}`));
  });

  test('have a limited number of series, even if clients send many different methods and paths', async () => {
    const agent = supertest(app.origin);
    for (let call = 0; call < 50; call += 1) {
      const random = randomBytes(6).toString('hex');
      await api.get(`/${random}/${random}?${random}=${random}`);
      await api.get(`/%${random}%`);
      await api.put(`/review/${random}`);
      await agent.propfind('/services').set('X-Request-Id', random);
      await agent.mkcol(`/${random}`);
    }
    await expect.poll(() => series(app, 'http_requests_in_flight')).toEqual({ '': 0 });
    const known = [...Object.keys(contract), 'GET /healthz'].map((key) => key.split(' ')[1]);
    expect(new Set([...known, 'none'])).toEqual(new Set([...known, ...(await labels('http_requests_total', 'route'))]));
    expect(await labels('http_requests_total', 'method')).toEqual(['GET', 'PUT', 'other']);
    expect(await series(app, 'http_requests_total')).toMatchObject({
      'method="other",route="/services",status="405"': 50,
      'method="other",route="none",status="404"': 50,
      'method="PUT",route="/review/:id",status="405"': 50,
    });
  });
});

describe('the metrics of the database', () => {
  test('measure the duration of commands by name, and count failed commands', async () => {
    await api.get('/services?limit=1').expect(200);
    const done = await series(app, 'mongodb_command_duration_seconds_count');
    expect(done).toMatchObject({ 'command="find"': expect.any(Number), 'command="aggregate"': expect.any(Number) });
    const apiDb = apiClient.db(db.databaseName);
    await expect(apiDb.command({ buildInfoo: 1 })).rejects.toThrow('no such');
    await expect(apiDb.collection('services').find({ $bad: 1 }).toArray()).rejects.toThrow('$bad');
    expect(await series(app, 'mongodb_command_failures_total')).toEqual({ 'command="other"': 1, 'command="find"': 1 });
  });

  test('count commands that wait for a connection, and commands that got no connection', async () => {
    const smallPool = await createTestApp({ mongodbUri: `${mongodb.uri}&maxPoolSize=1&retryReads=false` });
    await smallPool.api.get('/services?limit=1').expect(200);
    // This call caches the number of stale summaries, so the next calls do not need the database.
    await smallPool.readMetrics();
    mongodb.stall();
    const failed = Promise.all([
      smallPool.api.get(`/services/${new ObjectId().toHexString()}`).expect(503),
      smallPool.api.get(`/review/${new ObjectId().toHexString()}`).expect(503),
    ]);
    const gauge = async (name: string) => (await series(smallPool, name))[''];
    const gauges = ['pool_waiting', 'pool_checked_out', 'pool_connections', 'pool_max'].map(
      (name) => `mongodb_${name}`,
    );
    const read = () => Promise.all([...gauges, 'http_requests_in_flight'].map(gauge));
    await expect.poll(read, { interval: 10 }).toEqual([1, 1, 1, 1, 2]);
    await failed;
    expect(smallPool.takeWarnings()).toHaveLength(2);
    expect(await series(smallPool, 'mongodb_pool_checkout_failures_total')).toMatchObject({
      'reason="timeout"': expect.any(Number),
    });
    expect(await series(smallPool, 'mongodb_command_failures_total')).toMatchObject({ 'command="find"': 1 });
    await mongodb.reconnect();
    await smallPool.api.get('/services?limit=1').expect(200);
    expect(await gauge('mongodb_pool_waiting')).toBe(0);
    expect(await gauge('mongodb_pool_checked_out')).toBe(0);
  });

  test('can be read while the database is unavailable', async () => {
    const disconnected = await createTestApp({ mongodbUri: mongodb.uri });
    await mongodb.disconnect();
    expect(await series(disconnected, 'summaries_behind')).toEqual({ '': NaN });
    expect(await series(disconnected, 'process_resident_memory_bytes')).toEqual({ '': expect.any(Number) });
  });
});

test('the metrics count stale summaries, up to 1000', async () => {
  const own = await createTestApp();
  const { services } = getCollections(own.db);
  const { jwt } = await own.signUp();
  const listed = () => own.api.post('/services').set(bearer(jwt)).send({ title: 'Hood' });
  const { body } = await listed().expect(201);
  const template = await services.findOne({ _id: new ObjectId(body.insertedId as string) });
  const row = (behind: boolean) =>
    ({ ...template, _id: new ObjectId(), recheckAt: new Date(), summaryVersion: behind ? 2 : 0 }) as NonNullable<
      typeof template
    >;
  await services.insertMany([row(false), row(true), row(true), row(true)]);
  expect(await series(own, 'summaries_behind')).toEqual({ '': 3 });

  const many = await createTestApp({ env: { MONGODB_DATABASE: own.config.mongodbDatabase } });
  await services.insertMany(Array.from({ length: 1100 }, () => row(true)));
  expect(await series(own, 'summaries_behind'), 'the count is cached').toEqual({ '': 3 });
  expect(await series(many, 'summaries_behind')).toEqual({ '': 1000 });
});

test('the metrics count checked tokens by the result of the check, without personal data', async () => {
  const own = await createTestApp({ authEmulatorHost: emulator.host });
  const { jwt, email, uid, idToken } = await own.signUp({ name: 'Nadia Named' });
  const ask = (token?: string) =>
    own.api.get(`/review?email=${email}`).set(token === undefined ? {} : { Authorization: `Bearer ${token}` });
  await ask(jwt).expect(200);
  await ask().expect(401);
  await ask('eyJhbGciOiJIUzI1NiJ9.e30.x').expect(401);
  await emulator.disconnect();
  await own.api.post('/jwt').set(bearer(idToken)).send({ email }).expect(503);
  expect(own.takeWarnings()).toHaveLength(1);
  expect(await series(own, 'auth_tokens_total')).toEqual({
    'token="firebase",outcome="accepted"': 1,
    'token="firebase",outcome="failed"': 1,
    'token="access",outcome="accepted"': 1,
    'token="access",outcome="missing"': 1,
    'token="access",outcome="rejected"': 1,
  });
  expect(await series(own, 'firebase_calls_total')).toEqual({ 'outcome="answered"': 1, 'outcome="away"': 1 });
  const text = await own.readMetrics();
  for (const trace of [jwt, idToken, email, uid, 'Nadia']) expect(text).not.toContain(trace);
});

test('the metrics count the streamed lists that are being sent', async () => {
  const own = await createTestApp({ mongodbUri: mongodb.uri });
  await own.api.get('/services').expect(200);
  expect(await series(own, 'json_streams_open')).toEqual({ '': 0 });
  mongodb.stall();
  // `Promise.resolve` sends the request now. Otherwise, supertest would send it only when it is awaited.
  const failed = Promise.resolve(own.api.get('/services').expect(503));
  await expect.poll(() => series(own, 'json_streams_open'), { interval: 10 }).toEqual({ '': 1 });
  await failed;
  expect(own.takeWarnings()).toHaveLength(1);
  expect(await series(own, 'json_streams_open')).toEqual({ '': 0 });
});

describe('the metrics server', async () => {
  const server = createMetricsServer({ text: app.readMetrics }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  test('serves the metrics, including those of Node.js, in the format of Prometheus, and serves nothing else', async () => {
    const { headers, text } = await supertest(origin).get('/metrics').expect(200);
    expect(headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'http_requests_total'])
      expect(text).toContain(`\n${name}`);
    for (const path of ['/', '/services', '/healthz', '/metrics/x']) await supertest(origin).get(path).expect(404);
    await supertest(origin).post('/metrics').expect(404);
    server.close();
  });

  test('is separate from the API, which does not serve the metrics', async () => {
    await api.get('/metrics').expect(404);
  });
});
