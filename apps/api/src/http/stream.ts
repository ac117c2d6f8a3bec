import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { addressKey } from './limits.ts';
import { HttpError } from './problem.ts';

const chunkLength = 16_384;

/** How a whole list is written. */
export interface ListFormat<T> {
  /** Content-Type. */
  type: string;
  open: string;
  between: string;
  close: string;
  write(row: T): string;
}

const jsonArray: ListFormat<unknown> = { type: 'json', open: '[', between: ',', close: ']', write: JSON.stringify };

/** Answers whole lists, in memory that does not grow with them: JSON arrays, unless another format is given. */
export interface Streams {
  /** Reads no row for a HEAD request. */
  send<T>(res: Response<T[]>, rows: AsyncIterable<T>, format?: ListFormat<T>): Promise<void>;
  /** How many are under way. */
  open(): number;
}

/**
 * At most `most` lists are under way at once, and `mostPerAddress` of one client address; `refused` is called when an
 * address asks for more. A list that moves no byte for `idleMs` milliseconds is ended: the connection is destroyed, never
 * closed in a way that would make half a list look whole.
 */
export function listStreams({ most = 20, mostPerAddress = 3, idleMs = 30_000, refused = () => {} } = {}): Streams {
  const openByAddress = new Map<string, number>();
  let openCount = 0;

  /** Takes a slot, and returns the function that frees it. */
  function takeSlot(address: string): () => void {
    const own = openByAddress.get(address) ?? 0;
    if (own >= mostPerAddress) {
      refused();
      throw new HttpError(
        429,
        `${own} whole lists are being sent to your address already. Try again when one has ended, or read pages by \`limit\`.`,
        { limit: 'lists-at-once', headers: { 'Retry-After': '5' } },
      );
    }
    if (openCount >= most)
      throw new HttpError(503, 'Too many whole lists are being read right now. Try again, or read pages by `limit`.', {
        headers: { 'Retry-After': '5' },
      });
    openCount += 1;
    openByAddress.set(address, own + 1);
    return () => {
      openCount -= 1;
      const left = (openByAddress.get(address) ?? 1) - 1;
      if (left === 0) openByAddress.delete(address);
      else openByAddress.set(address, left);
    };
  }

  return {
    open: () => openCount,

    async send(res, rows, format = jsonArray) {
      if (res.req.method === 'HEAD') {
        res.type(format.type).end();
        return;
      }
      const release = takeSlot(addressKey(res.req.ip ?? ''));
      const body = Readable.from(chunksOf(rows, format));
      body.once('close', release); // after the batch of rows that is on its way, and after its cursor
      body.on('error', () => {}); // `once` and `pipeline` report it; one that comes later concerns no reader
      const readerLeft = new AbortController();
      res.once('close', () => readerLeft.abort());
      try {
        await once(body, 'readable', { signal: readerLeft.signal }); // until here a failure can still be answered
        if (res.destroyed) return;
        res.type(format.type).setTimeout(idleMs, () => res.destroy());
        await pipeline(body, res);
      } catch (error) {
        if (!isReaderGone(error)) throw error;
      } finally {
        body.destroy(); // `pipeline` does so only once it has begun
      }
    },
  };
}

/** Whether the reader went away, or was too slow: then nobody is left to be answered. */
function isReaderGone(error: unknown): boolean {
  return (
    error instanceof Error &&
    'code' in error &&
    ['ABORT_ERR', 'ERR_STREAM_PREMATURE_CLOSE'].includes(String(error.code))
  );
}

async function* chunksOf<T>(rows: AsyncIterable<T>, format: ListFormat<T>): AsyncGenerator<string> {
  let chunk = format.open;
  let separator = '';
  for await (const row of rows) {
    chunk += separator + format.write(row);
    separator = format.between;
    if (chunk.length >= chunkLength) {
      yield chunk;
      chunk = '';
    }
  }
  yield chunk + format.close;
}
