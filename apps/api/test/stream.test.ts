import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Service } from '@rtr/shared';
import express from 'express';
import { pino } from 'pino';
import { afterEach, assert, describe, expect, it, vi } from 'vitest';
import { collectionsOf } from '../src/database.ts';
import { problemHandler } from '../src/http/problem.ts';
import { listStreams } from '../src/http/stream.ts';
import { serviceRoutes } from '../src/services/services.routes.ts';
import { type ServiceStore, serviceStore } from '../src/services/services.store.ts';
import { testApp } from './support/test-app.ts';

const { db } = await testApp();
const store = serviceStore(collectionsOf(db));
const blank = { title: '', ratting: '', img: '', price: '', description: '' };

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** The list of services over any rows; gives its address, and the messages of errors that were logged. */
async function listOf(all: ServiceStore['all'], limits?: Parameters<typeof listStreams>[0]) {
  const logged: string[] = [];
  const logger = pino({ level: 'error' }, { write: (line: string) => logged.push(JSON.parse(line).err.message) });
  const gate = { admit: async () => undefined as never, spend: async () => {} };
  const app = express()
    .use(serviceRoutes({ services: { ...store, all }, gate, streams: listStreams(limits), webOrigins: [] }))
    .use(problemHandler(logger));
  const server = createServer(app).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/services`, logged };
}

/** Rows of 5 KB, counted as they are pulled; `ended` when nobody pulls any more. */
function rows(count: number, failAt = Infinity) {
  const state = { pulled: 0, ended: false };
  async function* all(): AsyncGenerator<Service> {
    try {
      for (; state.pulled < count; state.pulled += 1) {
        if (state.pulled === failAt) throw new Error('the database went away');
        const _id = String(state.pulled).padStart(24, '0');
        const counts = { reviewCount: 0, ratingCount: 0, averageRating: null };
        yield { _id, ...blank, description: 'x'.repeat(5000), createdAt: '2026-01-01T00:00:00.000Z', ...counts };
      }
    } finally {
      state.ended = true;
    }
  }
  return { state, all };
}

/** Asks for the list and reads nothing of its body yet. */
async function open(url: string): Promise<IncomingMessage> {
  const request = get(url, { agent: false });
  request.on('error', () => {}); // told by the response, or not at all
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

async function read(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

async function standsStill(state: { pulled: number }): Promise<number> {
  let last = -1;
  await vi.waitFor(
    () => {
      const before = last;
      last = state.pulled;
      expect(last).toBeGreaterThan(0);
      expect(last).toBe(before);
    },
    { interval: 100, timeout: 30_000 },
  );
  return last;
}

const many = 4000; // 20 MB: more than sockets hold on their own

describe('the whole list', () => {
  it('comes from the database as it was stored, whatever its length', async () => {
    const { services } = collectionsOf(db);
    const template = await store.insert('lister', { ...blank, description: 'ü'.repeat(3000) });
    const [document] = await services.find().toArray();
    if (!document) assert.fail();
    const { _id: _, ...rest } = document;
    await services.insertMany(Array.from({ length: 999 }, () => ({ ...rest }) as typeof document));
    const { url } = await listOf(() => store.all());
    const list = (await (await fetch(url)).json()) as Service[];
    expect(list).toHaveLength(1000);
    expect(new Set(list.map(({ _id }) => _id)).size).toBe(1000);
    expect(list.every(({ description }) => description === 'ü'.repeat(3000))).toBe(true);
    expect(list.map(({ _id }) => _id)).toContain(template.insertedId);
  });

  it('waits for a slow reader instead of filling the memory, and then goes on to the end', async () => {
    const { state, all } = rows(many);
    const { url } = await listOf(all);
    const response = await open(url);
    expect(await standsStill(state)).toBeLessThan(many);
    const list = JSON.parse(await read(response)) as Service[];
    expect(list).toHaveLength(many);
    expect(list.at(-1)?._id).toBe(String(many - 1).padStart(24, '0'));
  });

  it('is cut off when its reader takes nothing for too long, and nothing is left behind', async () => {
    const { state, all } = rows(many);
    const { url, logged } = await listOf(all, { idleMs: 200, most: 1 });
    const response = await open(url);
    await expect.poll(() => state.ended).toBe(true);
    expect(state.pulled).toBeLessThan(many);
    await expect(read(response)).rejects.toThrow('aborted');
    const again = await open(url);
    expect(again.statusCode, 'its place is free again').toBe(200);
    again.destroy();
    expect(logged).toEqual([]);
  });

  it('goes on for a reader who is slow but takes something now and then', async () => {
    const { all } = rows(many);
    const { url } = await listOf(all, { idleMs: 3000 });
    const response = await open(url);
    let length = 0;
    let pauses = 0;
    for await (const chunk of response) {
      length += (chunk as Buffer).length;
      if (length > pauses * 2_000_000 && pauses < 8) {
        pauses += 1;
        await new Promise((resolve) => setTimeout(resolve, 500)); // the slowness itself, not a wait for something
      }
    }
    expect(pauses).toBe(8);
    expect(length).toBeGreaterThan(many * 5000);
  });

  it('is given to so many readers at once and no more: the next is told to come back, until one has gone', async () => {
    const { url } = await listOf(() => rows(many).all(), { most: 2 });
    const [first, second] = await Promise.all([open(url), open(url)]);
    const refused = await fetch(url);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    await refused.body?.cancel();
    first.destroy();
    const again = async () => {
      const response = await open(url);
      response.destroy();
      return response.statusCode;
    };
    await expect.poll(again).toBe(200);
    second.destroy();
  });

  it('ends its query when the reader goes away, which is no error', async () => {
    const { state, all } = rows(many);
    const { url, logged } = await listOf(all);
    const response = await open(url);
    response.destroy();
    await expect.poll(() => state.ended).toBe(true);
    expect(state.pulled).toBeLessThan(many);
    expect(logged).toEqual([]);
  });

  it('that fails half-way breaks off: it never ends like a whole one', async () => {
    const { url, logged } = await listOf(rows(many, 1000).all);
    const response = await open(url);
    let text = '';
    await expect(
      (async () => {
        for await (const chunk of response.setEncoding('utf8')) text += chunk;
      })(),
    ).rejects.toThrow('aborted');
    expect(response.statusCode).toBe(200);
    expect(text.length).toBeGreaterThan(0);
    expect(text.endsWith(']')).toBe(false);
    expect(logged).toEqual(['the database went away']);
  });

  it('that fails before its first byte is answered as any failure', async () => {
    const { url, logged } = await listOf(rows(many, 0).all);
    const response = await fetch(url);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ status: 500, title: 'Internal Server Error' });
    expect(logged).toEqual(['the database went away']);
  });
});
