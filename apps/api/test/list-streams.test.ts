import { once } from 'node:events';
import { type ClientRequest, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import { waitMs } from '@rtr/dev-stack/timeouts';
import { createHttpServer } from '@rtr/http-server';
import type { Service } from '@rtr/shared';
import express from 'express';
import { type CommandSucceededEvent, ObjectId } from 'mongodb';
import { pino } from 'pino';
import { afterEach, assert, describe, expect, it, vi } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { contractRouter } from '../src/http/contract-router.ts';
import { createListStreams } from '../src/http/list-streams.ts';
import { errorHandler } from '../src/http/problem.ts';
import { createPublicReads } from '../src/http/public-reads.ts';
import { createResponseCache } from '../src/http/response-cache.ts';
import { addServiceRoutes } from '../src/services/services.routes.ts';
import { createServiceStore, type ServiceStore } from '../src/services/services.store.ts';
import { blankService } from './support/blank-service.ts';
import { createTestApp } from './support/test-app.ts';

const { db } = await createTestApp();
const store = createServiceStore(getCollections(db));

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/**
 * Starts a server that sends the rows of `all` as the list of services. Returns the URL of the list, the messages of
 * logged errors, and functions that count the open lists and the connections.
 */
async function serveList(
  all: ServiceStore['streamAll'],
  limits?: Parameters<typeof createListStreams>[0],
  timeouts?: Parameters<typeof createHttpServer>[1],
) {
  const logged: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line).err.message) });
  const listStreams = createListStreams(limits);
  const replies = { countUnanswered: async () => 0 };
  const app = express();
  const addRoute = contractRouter(app, {
    authenticate: async () => undefined as never,
    countWrite: async () => {},
    onWrite: () => {},
  });
  const cache = createResponseCache({ commonHeaders: [], onRequest: () => {} });
  const { addRead } = createPublicReads({ addRoute, cache, listStreams });
  const services = { ...store, streamAll: all };
  addServiceRoutes(addRoute, addRead, { services, replies, webOrigins: [] });
  app.use(errorHandler({ logger, onLimitReached: () => {} }));
  const server = createHttpServer(app, timeouts).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/services`,
    logged,
    open: listStreams.openCount,
    connectionCount: () => promisify(server.getConnections.bind(server))(),
  };
}

/** Like `serveList`, but the rows arrive only after the promise `first` is fulfilled. `queryCount` counts the queries. */
async function serveListAfter(
  first: Promise<void>,
  all: ServiceStore['streamAll'],
  limits?: Parameters<typeof createListStreams>[0],
) {
  let startedQueries = 0;
  async function* delayed() {
    startedQueries += 1;
    await first;
    yield* all();
  }
  return { ...(await serveList(delayed, limits)), queryCount: () => startedQueries };
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
        yield { _id, ...blankService, description, listerName: '', createdAt: at, updatedAt: at, ...counts };
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
    const template = await store.insert(
      { uid: 'lister', name: 'Lister' },
      { ...blankService, description: 'ü'.repeat(3000) },
    );
    const [document] = await services.find().toArray();
    if (!document) assert.fail();
    const { _id: _, ...rest } = document;
    await services.insertMany(Array.from({ length: 999 }, () => ({ ...rest }) as typeof document));
    const { url } = await serveList(() => store.streamAll());
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

  it('is aborted and no longer counts towards the limit of open lists when the client reads nothing', async () => {
    const { state, all } = generateRows(many);
    const { url, logged } = await serveList(all, { maxOpen: 1 }, { sendTimeoutMs: 200, checkIntervalMs: 50 });
    const response = await openList(url);
    await expect.poll(() => state.ended).toBe(true);
    expect(state.pulled).toBeLessThan(many);
    await expect(read(response)).rejects.toThrow('aborted');
    const again = await openList(url);
    expect(again.statusCode, 'the aborted list no longer counts').toBe(200);
    again.destroy();
    expect(logged).toEqual([]);
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

  it('returns 503 with Retry-After when the maximum number of lists is already being sent', async () => {
    const { url } = await serveList(() => generateRows(many).all(), { maxOpen: 2 });
    const [first, second] = await Promise.all([openList(url), openList(url)]);
    const rejected = await fetch(url);
    expect(rejected.status).toBe(503);
    expect(rejected.headers.get('retry-after')).toBe('5');
    await rejected.body?.cancel();
    first.destroy();
    const again = async () => {
      const response = await openList(url);
      response.destroy();
      return response.statusCode;
    };
    await expect.poll(again).toBe(200);
    second.destroy();
  });

  it('is aborted to make room for a new list if the maximum number of lists is open and no other client has stalled longer', async () => {
    const resumed = Promise.withResolvers<void>();
    const [first, second, third] = [generateRows(many), generateRows(many), generateRows(1)];
    async function* delayed() {
      await resumed.promise;
      yield* first.all();
    }
    const lists = [delayed(), second.all(), third.all()];
    const { url, logged } = await serveList(() => lists.shift() ?? assert.fail(), { maxOpen: 2, maxStallMs: 0 });
    const opened = openList(url);
    await expect.poll(() => lists.length).toBe(2);
    const stalledLongest = await openList(url);
    await waitUntilPaused(second.state);
    resumed.resolve();
    const stalledLater = await opened;
    await waitUntilPaused(first.state);

    expect(JSON.parse(await read(await openList(url)))).toHaveLength(1);
    await expect(read(stalledLongest)).rejects.toThrow('aborted');
    expect(JSON.parse(await read(stalledLater))).toHaveLength(many);
    expect(logged).toEqual([]);
  });

  it('is not aborted a second time to make room while its query is still ending: the request for a further list gets 503', async () => {
    const ended = Promise.withResolvers<void>();
    const { state, all } = generateRows(many);
    async function* endingSlowly() {
      try {
        yield* all();
      } finally {
        await ended.promise;
      }
    }
    async function* waiting() {
      yield* generateRows(10).all();
      await ended.promise;
    }
    const lists = [endingSlowly(), waiting(), generateRows(1).all()];
    const { url } = await serveList(() => lists.shift() ?? assert.fail(), { maxOpen: 1, maxStallMs: 0 });
    const aborted = await openList(url);
    await waitUntilPaused(state);
    const second = read(await openList(url));
    expect((await fetch(url)).status).toBe(503);
    ended.resolve();
    expect(JSON.parse(await second)).toHaveLength(10);
    await expect(read(aborted)).rejects.toThrow('aborted');
  });

  it('is not aborted to make room for a new list while its client has stalled for less than the maximum time', async () => {
    const { state, all } = generateRows(many);
    const { url } = await serveList(all, { maxOpen: 1, maxStallMs: 60_000 });
    const stalled = await openList(url);
    await waitUntilPaused(state);
    expect((await fetch(url)).status).toBe(503);
    expect(JSON.parse(await read(stalled))).toHaveLength(many);
  });

  it('is not aborted to make room for a new list while it waits for the database, because the time limit applies only to lists that wait for their client', async () => {
    const resumed = Promise.withResolvers<void>();
    let isWaiting = false;
    async function* all() {
      yield* generateRows(10).all();
      isWaiting = true;
      await resumed.promise;
      yield* generateRows(10).all();
    }
    const { url } = await serveList(all, { maxOpen: 1, maxStallMs: 0 });
    const list = read(await openList(url));
    await expect.poll(() => isWaiting).toBe(true);
    expect((await fetch(url)).status).toBe(503);
    resumed.resolve();
    expect(JSON.parse(await list)).toHaveLength(20);
  });

  it('reads no rows for a HEAD request', async () => {
    const { state, all } = generateRows(10_000);
    const { url } = await serveList(all);
    const { status } = await fetch(url, { method: 'HEAD' });
    expect([status, state.pulled]).toEqual([200, 0]);
    await (await fetch(url)).text();
    expect(state.pulled).toBe(10_000);
  });

  it('when the client disconnects before the first byte, ends its query, logs no error, and no longer counts towards the limit of open lists', async () => {
    const firstBatch = Promise.withResolvers<void>();
    const { state, all } = generateRows(many);
    const { url, logged, queryCount } = await serveListAfter(firstBatch.promise, all, { maxOpen: 1 });
    const request = get(url, { agent: false });
    request.on('error', () => {});
    await expect.poll(queryCount).toBe(1);
    request.destroy();
    // The first list still counts towards the limit of open lists, because its query has not ended.
    expect((await fetch(url)).status).toBe(503);
    firstBatch.resolve();
    await expect.poll(() => state.ended).toBe(true);
    const again = await openList(url);
    expect(again.statusCode).toBe(200);
    again.destroy();
    expect(logged).toEqual([]);
  });

  it('logs no error of its query after the client has disconnected', async () => {
    const firstBatch = Promise.withResolvers<void>();
    const {
      url,
      logged,
      queryCount,
      open: openCount,
    } = await serveListAfter(firstBatch.promise, generateRows(many).all);
    const disconnected = Promise.withResolvers<void>();
    const request = get(url, { agent: false });
    request.on('error', () => {}).on('close', disconnected.resolve);
    await expect.poll(queryCount).toBe(1);
    request.destroy();
    await disconnected.promise;
    firstBatch.reject(new Error('the query failed'));
    await expect.poll(openCount).toBe(0);
    expect(logged).toEqual([]);
  });

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

  it('starts no query when the client disconnects while its request waits for the end of another list to the same client address', async () => {
    const { promise: first, resolve: arrive } = Promise.withResolvers<void>();
    const { url, queryCount, connectionCount } = await serveListAfter(first, generateRows(1).all, {
      maxOpenPerAddress: 1,
    });
    const reading = fetch(url);
    await expect.poll(queryCount).toBe(1);
    const waiting = get(url, { agent: false }).on('error', () => {});
    await once(waiting, 'finish');
    const later = fetch(url);
    await expect.poll(connectionCount).toBe(3);
    waiting.destroy();
    await expect.poll(connectionCount).toBe(2);
    arrive();
    expect((await reading).status).toBe(200);
    expect((await later).status).toBe(200);
    expect(queryCount()).toBe(2);
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
  const app = await createTestApp();
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

  it('leave no open database cursors and no warnings in the log after 60 clients have disconnected', async () => {
    const { cursors, names } = recordCommands();
    for (let reader = 1; reader <= 60; reader += 1) {
      const request = requestAllServices('203.0.113.1');
      await expect.poll(() => names.filter((name) => name === 'find').length, { interval: 1 }).toBe(reader);
      request.destroy();
      await expect.poll(() => app.readMetrics(), { interval: 1 }).toContain('json_streams_open 0\n');
    }
    expect([...cursors]).toEqual([]);
  });

  it('soon close the database cursor of a list that was aborted to make room for another list', async () => {
    const { cursors } = recordCommands();
    const recorded = createServiceStore(getCollections(app.apiClient.db(app.config.mongodbDatabase)));
    const { url } = await serveList(() => recorded.streamAll(), { maxOpen: 1, maxStallMs: 0 });
    const aborted = await openList(url);
    // The API aborts a list only while the list waits for its client, not while it waits for the database. So request a new
    // list until the API accepts it.
    await expect.poll(async () => (await openList(url)).statusCode).toBe(200);
    await expect.poll(() => cursors.size).toBe(1);
    await expect(read(aborted)).rejects.toThrow('aborted');
  });

  it('are all sent even if one client address requests many short lists at the same time', async () => {
    const path = `${app.origin}/allreview?serviceId=${serviceId}`;
    const responses = await Promise.all(Array.from({ length: 12 }, () => fetch(path)));
    for (const response of responses) expect(await response.json()).toHaveLength(1);
  });

  it('return 429 for the fourth concurrent list of one client address, but not for other addresses and the sitemap', async () => {
    const openFor = async (forwarded: string) => {
      const [response] = (await once(requestAllServices(forwarded), 'response')) as [IncomingMessage];
      return response;
    };
    // The API must ignore the first address in the X-Forwarded-For header, because the client itself wrote it.
    const openLists = await Promise.all([1, 2, 3].map((host) => openFor(`198.51.100.${host}, 203.0.113.7`)));
    expect(openLists.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
    const forwarded = { 'X-Forwarded-For': '198.51.100.4, 203.0.113.7' };
    const { headers, body } = await app.api.get('/services').set(forwarded).expect(429);
    expect(body.limit).toBe('lists-at-once');
    expect(headers['retry-after']).toBe('5');
    expect(body.detail).toContain('Your address');
    await app.api.get('/services?limit=1').set(forwarded).expect(200);
    await app.api.get('/sitemap.xml').set(forwarded).expect(200);
    expect(await app.readMetrics()).toContain('rate_limit_rejections_total{limit="lists-at-once"} 1\n');
    const other = await openFor('203.0.113.8');
    expect(other.statusCode).toBe(200);
    for (const response of [...openLists, other]) response.destroy();
    await expect.poll(() => app.readMetrics()).toContain('json_streams_open 0\n');
    expect((await openFor('198.51.100.5, 203.0.113.7')).destroy().statusCode).toBe(200);
  });

  /** Requests all services with an X-Forwarded-For header, as a proxy does. Does not read the response. */
  function requestAllServices(forwarded: string): ClientRequest {
    const request = get(`${app.origin}/services`, { agent: false, headers: { 'X-Forwarded-For': forwarded } });
    return request.on('error', () => {});
  }
});
