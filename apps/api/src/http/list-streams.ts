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

/**
 * Limits the number of lists that are sent at the same time: `maxOpen` in total, and `maxOpenPerAddress` for one client
 * address. A client that reads too slowly loses its slot, because `createHttpServer` closes its connection.
 */
export function createListStreams({ maxOpen = 20, maxOpenPerAddress = 3 } = {}): ListStreams {
  const openByAddress = new Map<string, number>();
  let openCount = 0;

  /** Reserves the slot of one list, and returns a function that releases the slot. Throws an error if no slot is free. */
  function reserveSlot(address: string): () => void {
    const openOfAddress = openByAddress.get(address) ?? 0;
    if (openOfAddress >= maxOpenPerAddress)
      throw new LimitReachedError(
        `Your address is already reading ${openOfAddress} complete lists. Try again when one has ended, or read pages with \`limit\`.`,
        'lists-at-once',
        retryAfterSeconds,
      );
    if (openCount >= maxOpen)
      throw new UnavailableError(
        'Too many complete lists are being read right now. Try again, or read pages with `limit`.',
        retryAfterSeconds,
      );
    openCount += 1;
    openByAddress.set(address, openOfAddress + 1);
    return () => {
      openCount -= 1;
      const remaining = (openByAddress.get(address) ?? 1) - 1;
      if (remaining === 0) openByAddress.delete(address);
      else openByAddress.set(address, remaining);
    };
  }

  return {
    openCount: () => openCount,

    async send(res, rows, format = jsonArray) {
      if (res.req.method === 'HEAD') {
        res.type(format.contentType).end();
        return;
      }
      const releaseSlot = reserveSlot(rateLimitKey(res.req.ip ?? ''));
      const body = Readable.from(serializeInChunks(rows, format));
      // The stream emits `close` only after the database cursor is closed. Until then, the list keeps its slot.
      body.once('close', releaseSlot);
      // `once` and `pipeline` handle only the first error. Without this handler, a second error would end the process.
      body.on('error', () => {});
      const clientGone = new AbortController();
      res.once('close', () => clientGone.abort());
      try {
        // Waits for the first row before the headers are sent. If reading fails until then, a problem response can still be
        // sent.
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

async function* serializeInChunks<T>(rows: AsyncIterable<T>, format: ListFormat<T>): AsyncGenerator<string> {
  let chunk = format.prefix;
  let separator = '';
  for await (const row of rows) {
    chunk += separator + format.serialize(row);
    separator = format.separator;
    if (chunk.length >= minChunkLength) {
      yield chunk;
      chunk = '';
      // Many rows arrive together. Without this pause, other requests would wait until all of them are sent.
      await nextTurn();
    }
  }
  yield chunk + format.suffix;
}
