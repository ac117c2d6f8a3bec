import { once } from 'node:events';
import { type ClientRequest, createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { waitMs } from '@rtr/dev-stack/timeouts';
import type { Service } from '@rtr/shared';
import express from 'express';
import { type CommandSucceededEvent, ObjectId } from 'mongodb';
import { pino } from 'pino';
import { afterAll, afterEach, assert, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { createListStreams } from '../src/http/list-streams.ts';
import { errorHandler } from '../src/http/problem.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { createTestApp } from './support/test-app.ts';

const { db, stores } = await createTestApp();

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/**
 * Starts a server that sends the rows of `all` as a list. Returns the URL of the list, the messages of logged errors, and a
 * function that counts the open lists.
 */
async function serveList(all: () => AsyncIterable<Service>, idleTimeoutMs?: number) {
  const logged: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line).err.message) });
  const { send, openCount } = createListStreams(idleTimeoutMs);
  const app = express();
  app.get('/', (_req, res) => send(res, all()));
  app.use(errorHandler({ logger, onLimitReached: () => {} }));
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, logged, openCount };
}

/** Generates rows of 5 KB. Records how many rows were read, and whether reading has stopped. */
function generateRows(count: number, failAt = Infinity) {
  const state = { pulled: 0, ended: false };
  async function* all(): AsyncGenerator<Service> {
    try {
      for (; state.pulled < count; state.pulled += 1) {
        if (state.pulled === failAt) throw new Error('the query failed');
        const _id = String(state.pulled).padStart(24, '0');
        const at = '2026-01-01T00:00:00.000Z';
        const counts = { reviewCount: 0, ratingCount: 0, averageRating: null };
        const description = 'x'.repeat(5000);
        yield {
          _id,
          ...blankService,
          description,
          listerName: '',
          listerId: '',
          createdAt: at,
          updatedAt: at,
          ...counts,
        };
      }
    } finally {
      state.ended = true;
    }
  }
  return { state, all };
}

/** Requests the list without reading the body of the response. */
async function openList(url: string): Promise<IncomingMessage> {
  const request = get(url, { agent: false });
  // Without this listener, an error of the connection would be an uncaught exception. Tests see the error when they read
  // the response.
  request.on('error', () => {});
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function read(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

async function waitUntilPaused(state: { pulled: number }): Promise<number> {
  let last = -1;
  await vi.waitFor(
    () => {
      const before = last;
      last = state.pulled;
      expect(last).toBeGreaterThan(0);
      expect(last).toBe(before);
    },
    { interval: 100, timeout: waitMs },
  );
  return last;
}

const many = 4000; // The rows have 20 MB in total, which is more than the buffers of the sockets.

describe('a streamed list', () => {
  it('contains every stored row exactly once, with unchanged texts', async () => {
    const { services } = getCollections(db);
    const template = await stores.services.insert(someLister, { ...blankService, description: 'ü'.repeat(3000) });
    const [document] = await services.find().toArray();
    if (!document) assert.fail();
    const { _id: _, ...rest } = document;
    await services.insertMany(Array.from({ length: 999 }, () => ({ ...rest }) as typeof document));
    const { url } = await serveList(() => stores.services.streamAll());
    const list = (await (await fetch(url)).json()) as Service[];
    expect(list).toHaveLength(1000);
    expect(new Set(list.map(({ _id }) => _id)).size).toBe(1000);
    expect(list.every(({ description }) => description === 'ü'.repeat(3000))).toBe(true);
    expect(list.map(({ _id }) => _id)).toContain(template.insertedId);
  });

  it('pauses for a slow client instead of buffering, and then continues to the end', async () => {
    const { state, all } = generateRows(many);
    const { url } = await serveList(all);
    const response = await openList(url);
    expect(await waitUntilPaused(state)).toBeLessThan(many);
    const list = JSON.parse(await read(response)) as Service[];
    expect(list).toHaveLength(many);
    expect(list.at(-1)?._id).toBe(String(many - 1).padStart(24, '0'));
  });

  it('is aborted, ends its query, logs no error and is no longer counted after its client has read nothing for the idle timeout', async () => {
    const { state, all } = generateRows(many);
    const { url, logged, openCount } = await serveList(all, 200);
    const response = await openList(url);
    await expect.poll(openCount).toBe(0);
    expect(state.ended).toBe(true);
    expect(state.pulled).toBeLessThan(many);
    await expect(read(response)).rejects.toThrow('aborted');
    expect(logged).toEqual([]);
  });

  it('is not aborted while it waits longer than the idle timeout for the database', async () => {
    const { url } = await serveList(async function* () {
      yield* generateRows(10).all();
      await sleep(300);
      yield* generateRows(10).all();
    }, 100);
    expect(JSON.parse(await read(await openList(url)))).toHaveLength(20);
  });

  it('lets other requests run after every few rows, even if the rows arrive together', async () => {
    let turn = 0;
    let immediate = setImmediate(function count() {
      turn += 1;
      immediate = setImmediate(count);
    });
    const rowsPerTurn = new Map<number, number>();
    const { url } = await serveList(async function* () {
      for await (const row of generateRows(500).all()) {
        rowsPerTurn.set(turn, (rowsPerTurn.get(turn) ?? 0) + 1);
        yield row;
      }
    });
    await (await fetch(url)).text();
    clearImmediate(immediate);
    expect(Math.max(...rowsPerTurn.values())).toBeLessThan(10);
  });

  it.each([
    ['returns rows', async () => {}],
    ['fails', () => Promise.reject(new Error('the query failed'))],
  ])(
    'counts as open until its query %s, and logs no error, if the client disconnects before the first byte',
    async (_, end) => {
      const { state, all } = generateRows(many);
      const firstBatch = Promise.withResolvers<void>();
      const { url, logged, openCount } = await serveList(async function* () {
        await firstBatch.promise;
        yield* all();
      });
      const disconnected = Promise.withResolvers<void>();
      const request = get(url, { agent: false });
      request.on('error', () => {}).on('close', disconnected.resolve);
      await expect.poll(openCount).toBe(1);
      request.destroy();
      await disconnected.promise;
      expect(openCount()).toBe(1);
      firstBatch.resolve(end());
      await expect.poll(openCount).toBe(0);
      expect(state.pulled).toBeLessThan(many);
      expect(logged).toEqual([]);
    },
  );

  it('ends its query and logs no error when the client disconnects', async () => {
    const { state, all } = generateRows(many);
    const { url, logged } = await serveList(all);
    const response = await openList(url);
    response.destroy();
    await expect.poll(() => state.ended).toBe(true);
    expect(state.pulled).toBeLessThan(many);
    expect(logged).toEqual([]);
  });

  it('is aborted when its query fails, so that the list does not look complete', async () => {
    const { url, logged } = await serveList(generateRows(many, 1000).all);
    const response = await openList(url);
    let text = '';
    await expect(
      (async () => {
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
      })(),
    ).rejects.toThrow('aborted');
    expect(response.statusCode).toBe(200);
    expect(text.length).toBeGreaterThan(0);
    expect(text.endsWith(']')).toBe(false);
    expect(logged).toEqual(['the query failed']);
  });

  it('returns 500 when its query fails before the first byte', async () => {
    const { url, logged } = await serveList(generateRows(many, 0).all);
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ status: 500, title: 'Internal Server Error' });
    expect(logged).toEqual(['the query failed']);
  });
});

describe('the streamed lists of the API', async () => {
  // The other tests of this file count the rows of their database, so this API has its own.
  const app = await createTestApp({ env: { MONGODB_DATABASE: db.databaseName.replace('_demo', '_streamed_demo') } });
  afterAll(() => app.db.dropDatabase());
  const { services } = getCollections(app.db);
  const author = await app.signUp();
  const bearer = { Authorization: `Bearer ${author.jwt}` };
  const added = await app.api.post('/services').set(bearer).send(blankService).expect(201);
  const serviceId: string = added.body.insertedId;
  await app.api.post('/review').set(bearer).send({ serviceId, review: 'Fits.' }).expect(201);
  const service = (await services.findOne()) ?? assert.fail();
  const description = 'x'.repeat(10_000); // The rows have 20 MB in total, which is more than the buffers of the sockets.
  const copies = Array.from({ length: 2000 }, () => ({ ...service, _id: new ObjectId(), description }));
  await services.insertMany(copies, { bypassDocumentValidation: true });

  /** Records the names of the commands on `services` and `reviews`, and the ids of the open cursors in the database. */
  function recordCommands() {
    const names: string[] = [];
    const cursors = new Set<string>();
    const collections = new Set(['services', 'reviews']);
    app.apiClient.on('commandStarted', ({ commandName, command }) => {
      if (collections.has(command[commandName])) names.push(commandName);
      if (commandName === 'killCursors') for (const id of command.cursors) cursors.delete(String(id));
    });
    app.apiClient.on('commandSucceeded', ({ commandName, reply }: CommandSucceededEvent) => {
      const { cursor } = reply as { cursor?: { id: unknown; ns: string } };
      if (commandName === 'find' && cursor && String(cursor.id) !== '0') cursors.add(String(cursor.id));
    });
    return { names, cursors };
  }

  it('read no rows for a HEAD request', async () => {
    const { names } = recordCommands();
    for (const [path, type] of [
      ['/services', 'application/json; charset=utf-8'],
      [`/allreview?serviceId=${serviceId}`, 'application/json; charset=utf-8'],
      [`/review?email=${author.email}`, 'application/json; charset=utf-8'],
      ['/sitemap.xml', 'application/xml'],
      [`/sitemap.xml?from=${serviceId}`, 'application/xml'],
    ] as const) {
      const { headers } = await app.api.head(path).set(bearer).expect(200);
      expect([path, headers['content-type'], names]).toEqual([path, type, []]);
    }
    expect((await app.api.get(`/allreview?serviceId=${serviceId}`)).headers['content-type']).toContain('json');
    expect(names).not.toEqual([]);
  });

  it('leave no open database cursors and no warnings in the log after 20 clients have disconnected', async () => {
    const { cursors, names } = recordCommands();
    for (let reader = 1; reader <= 20; reader += 1) {
      const request = requestAllServices('203.0.113.1');
      await expect.poll(() => names.filter((name) => name === 'find').length, { interval: 1 }).toBe(reader);
      request.destroy();
      await expect.poll(() => app.readMetrics(), { interval: 1 }).toContain('json_streams_open 0\n');
    }
    expect([...cursors]).toEqual([]);
  });

  it('return 429 for the sixth concurrent list of one client address, and 503 for the 21st of all addresses, but not for pages and the sitemap', async () => {
    const openFor = async (forwarded: string) => {
      const [response] = (await once(requestAllServices(forwarded), 'response')) as [IncomingMessage];
      return response;
    };
    // The API must ignore the first address in the X-Forwarded-For header, because the client itself wrote it.
    const openOfOne = await Promise.all([1, 2, 3, 4, 5].map((host) => openFor(`198.51.100.${host}, 203.0.113.7`)));
    const forwarded = { 'X-Forwarded-For': '198.51.100.4, 203.0.113.7' };
    const tooMany = await app.api.get('/services').set(forwarded).expect(429);
    expect(tooMany.body).toMatchObject({
      limit: 'lists-at-once',
      detail: expect.stringContaining('Your address'),
    });
    expect(tooMany.headers['retry-after']).toBe('5');
    expect(await app.readMetrics()).toContain('rate_limit_rejections_total{limit="lists-at-once"} 1\n');

    const addresses = ['203.0.113.8', '203.0.113.9', '203.0.113.10'].flatMap((address) => Array(5).fill(address));
    const openOfOthers = await Promise.all(addresses.map(openFor));
    const open = [...openOfOne, ...openOfOthers];
    expect(open.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(200));
    const { headers } = await app.api.get('/services').set('X-Forwarded-For', '203.0.113.11').expect(503);
    expect(headers['retry-after']).toBe('5');
    expect(app.takeWarnings()).toHaveLength(1);
    for (const path of ['/services?limit=1', '/sitemap.xml']) await app.api.get(path).set(forwarded).expect(200);

    for (const response of open) response.destroy();
    await expect.poll(() => app.readMetrics()).toContain('json_streams_open 0\n');
    expect((await openFor('198.51.100.5, 203.0.113.7')).destroy().statusCode).toBe(200);
  });

  /** Requests all services with an X-Forwarded-For header, as a proxy does. Does not read the response. */
  function requestAllServices(forwarded: string): ClientRequest {
    const request = get(`${app.origin}/services`, { agent: false, headers: { 'X-Forwarded-For': forwarded } });
    return request.on('error', () => {});
  }
});
