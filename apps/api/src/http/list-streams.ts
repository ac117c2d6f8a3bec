import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import { LimitReachedError, UnavailableError } from '../errors.ts';
import { rateLimitKey } from './rate-limits.ts';

const minChunkLength = 16_384;
const retryAfterSeconds = 5;

/** The format of a streamed list: the texts at its start, between two rows and at its end. */
export interface ListFormat<T> {
  contentType: string;
  prefix: string;
  separator: string;
  suffix: string;
  serialize(row: T): string;
}

const jsonArray: ListFormat<unknown> = {
  contentType: 'json',
  prefix: '[',
  separator: ',',
  suffix: ']',
  serialize: JSON.stringify,
};

/** Sends lists of any length as streams, with constant memory use. A list is sent as a JSON array or in another format. */
export interface ListStreams {
  /** Sends the rows as a stream. Reads no rows if the request is a HEAD request. */
  send<T>(res: Response<T[]>, rows: AsyncIterable<T>, format?: ListFormat<T>): Promise<void>;
  openCount(): number;
}

/** A list that is being sent to a client. It is stalled while the API waits until the client reads the data sent so far. */
interface OpenList {
  address: string;
  res: Response;
  /** The time when the list stalled (`performance.now()`). Undefined if the list is not stalled. */
  stalledSince: number | undefined;
}

interface Limits {
  /** The maximum number of lists that are sent at the same time. */
  maxOpen?: number;
  /** The maximum number of lists that are sent to one client address (see `rateLimitKey`) at the same time. */
  maxOpenPerAddress?: number;
  /** A list that has been stalled for this time can be aborted, so that another list can be sent instead. */
  maxStallMs?: number;
  /** The maximum time that a request waits until a list to its client address has ended. */
  maxWaitMs?: number;
}

/**
 * Limits the number of lists that are sent at the same time:
 * - If `maxOpenPerAddress` lists are being sent to a client address, its next request waits until one of them ends. The
 *   request fails after `maxWaitMs`.
 * - If `maxOpen` lists are being sent, a new list replaces the list that has been stalled longest. If no list has been
 *   stalled for `maxStallMs`, the request fails.
 *
 * If a client stops reading, `createHttpServer` closes its connection later.
 */
export function createListStreams({
  maxOpen = 20,
  maxOpenPerAddress = 3,
  maxStallMs = 30_000,
  maxWaitMs = 2000,
}: Limits = {}): ListStreams {
  const open = new Set<OpenList>();
  /** The requests that wait until a list to their client address has ended, oldest first. */
  const waiting = new Set<{ address: string; wake: () => void }>();

  /** Returns the list that has been stalled longest, or undefined if no list has been stalled for `maxStallMs`. */
  function findStalled(): OpenList | undefined {
    let found: OpenList | undefined;
    let since = performance.now() - maxStallMs;
    for (const list of open) {
      if (list.res.destroyed || list.stalledSince === undefined || list.stalledSince > since) continue;
      found = list;
      since = list.stalledSince;
    }
    return found;
  }

  /** Waits until a list to this client address has ended, the client has disconnected, or `timeoutMs` has passed. */
  function waitForAddress(address: string, res: Response, timeoutMs: number): Promise<void> {
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        res.off('close', wake);
        waiting.delete(request);
        resolve();
      };
      const request = { address, wake };
      const timer = setTimeout(wake, timeoutMs);
      res.once('close', wake);
      waiting.add(request);
    });
  }

  function release(list: OpenList): void {
    open.delete(list);
    // Wakes all waiting requests of this client address, oldest first. The first one whose client is still connected
    // starts its list. The others wait again.
    for (const { address, wake } of waiting) if (address === list.address) wake();
  }

  /**
   * Adds a list to the open lists, and aborts a stalled list if necessary. Throws an error if the limits do not allow the
   * new list (see `createListStreams`). Returns undefined if the client disconnects while the request waits.
   */
  async function openList(res: Response): Promise<OpenList | undefined> {
    const address = rateLimitKey(res.req.ip ?? '');
    const deadline = performance.now() + maxWaitMs;
    while ([...open].filter((list) => list.address === address).length >= maxOpenPerAddress) {
      const remainingMs = deadline - performance.now();
      if (remainingMs <= 0)
        throw new LimitReachedError(
          `Your address is already reading ${maxOpenPerAddress} complete lists. Try again when one has ended, or read pages with \`limit\`.`,
          'lists-at-once',
          retryAfterSeconds,
        );
      await waitForAddress(address, res, remainingMs);
      if (res.destroyed) return undefined;
    }
    if (open.size >= maxOpen) {
      const stalled = findStalled();
      if (!stalled)
        throw new UnavailableError(
          'Too many complete lists are being read right now. Try again, or read pages with `limit`.',
          retryAfterSeconds,
        );
      stalled.res.destroy();
    }
    const list = { address, res, stalledSince: undefined };
    open.add(list);
    return list;
  }

  return {
    openCount: () => open.size,

    async send(res, rows, format = jsonArray) {
      if (res.req.method === 'HEAD') {
        res.type(format.contentType).end();
        return;
      }
      const list = await openList(res);
      if (!list) return;
      const body = Readable.from(serializeInChunks(rows, format, list));
      // The stream emits `close` only after the database cursor is closed. Until then, the list counts as open.
      body.once('close', () => release(list));
      // `once` and `pipeline` handle only the first error. Without this handler, a second error would end the process.
      body.on('error', () => {});
      const clientGone = new AbortController();
      res.once('close', () => clientGone.abort());
      try {
        // Waits for the first chunk of rows before the headers are sent. If reading these rows fails, the API can still
        // send a problem response.
        await once(body, 'readable', { signal: clientGone.signal });
        if (res.destroyed) return;
        res.type(format.contentType);
        await pipeline(body, res);
      } catch (error) {
        if (!isClientGoneError(error)) throw error;
      } finally {
        // If `pipeline` was not called, `destroy` stops reading the rows and closes the database cursor.
        body.destroy();
      }
    },
  };
}

/** True if the client closed the connection, or if the API closed it because the client read too slowly. */
function isClientGoneError(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
  );
}

async function* serializeInChunks<T>(
  rows: AsyncIterable<T>,
  format: ListFormat<T>,
  list: OpenList,
): AsyncGenerator<string> {
  let chunk = format.prefix;
  let separator = '';
  for await (const row of rows) {
    chunk += separator + format.serialize(row);
    separator = format.separator;
    if (chunk.length >= minChunkLength) {
      list.stalledSince = performance.now();
      yield chunk;
      list.stalledSince = undefined;
      chunk = '';
      // Many rows arrive together. Without this pause, other requests would wait until all of them are sent.
      await nextTurn();
    }
  }
  list.stalledSince = performance.now();
  yield chunk + format.suffix;
}
