import express from 'express';
import pino from 'pino';
import supertest from 'supertest';
import { afterEach, describe, expect, inject, test } from 'vitest';
import { errorHandler } from '../src/http/problem.ts';
import { cuttableMongodb } from './support/cuttable.ts';
import { testApp } from './support/test-app.ts';

const mongodb = await cuttableMongodb(inject('mongodbUri'));
const { api, signUp, takeLogged } = await testApp({ mongodbUri: mongodb.uri });
const customer = await signUp();
const bearer = { Authorization: `Bearer ${customer.jwt}` };

afterEach(() => mongodb.mend());

describe.for([
  ['is gone', () => mongodb.cut()],
  ['is silent', async () => mongodb.silence()],
] as const)('while the database %s', ([, lose]) => {
  test('the API stays alive, unready, and says so; it recovers by itself', async () => {
    const { body: service } = await api.post('/services').set(bearer).send({ title: 'Before' }).expect(201);
    await api.get('/readyz').expect(200);
    await lose();

    await api.get('/healthz').expect(200);
    const started = performance.now();
    const [ready, read, streamed, own, written] = await Promise.all([
      api.get('/readyz').expect(503),
      api.get(`/services/${service.insertedId}`).expect(503),
      api.get('/services').expect(503),
      api.get(`/review?email=${customer.email}`).set(bearer).expect(503),
      api.post('/services').set(bearer).send({ title: 'Meanwhile' }).expect(503),
    ]);
    expect(performance.now() - started).toBeLessThan(10_000);
    for (const { headers, body } of [ready, read, streamed, own]) {
      expect(Number(headers['retry-after'])).toBeGreaterThan(0);
      expect(body.detail).toContain('database does not answer');
    }
    expect(written.body.detail).toContain('may or may not have been saved');
    expect(takeLogged()).toHaveLength(5);

    await mongodb.mend();
    await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
    takeLogged();
    await api.get(`/services/${service.insertedId}`).expect(200);
    await api.post('/services').set(bearer).send({ title: 'After' }).expect(201);
  });
});

test('requests that are under way while the database goes are answered 503, never 500', async () => {
  const { body: service } = await api.post('/services').set(bearer).send({ title: 'Under way' }).expect(201);
  for (let round = 0; round < 2; round += 1) {
    const underWay = Array.from({ length: 40 }, () => api.get(`/services/${service.insertedId}`));
    const answers = Promise.all(underWay);
    // One answer says that the others' queries are on their way.
    await Promise.race(underWay);
    await mongodb.cut();
    for (const { status } of await answers) expect([200, 503]).toContain(status);
    await mongodb.mend();
    await expect.poll(async () => (await api.get('/readyz')).status).toBe(200);
    takeLogged();
  }
});

test('a write to a database that has just died, which the driver passes on unwrapped, is answered 503', async () => {
  const app = express();
  app.get('/', () => {
    throw Object.assign(new Error('write EPIPE'), { code: 'EPIPE', syscall: 'write' });
  });
  app.use(errorHandler(pino({ level: 'silent' })));
  const { headers } = await supertest(app).get('/').expect(503);
  expect(headers['retry-after']).toBe('2');
});
