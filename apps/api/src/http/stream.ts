import { once } from 'node:events';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
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
  send<T>(res: Response<T[]>, rows: AsyncIterable<T>, format?: ListFormat<T>): Promise<void>;
  /** How many are under way. */
  open(): number;
}

/**
 * At most `most` lists are under way at once. A list that moves no byte for `idleMs` milliseconds is ended: the
 * connection is destroyed, never closed in a way that would make half a list look whole.
 */
export function listStreams({ most = 20, idleMs = 30_000 } = {}): Streams {
  let underWay = 0;
  return {
    open: () => underWay,

    async send(res, rows, format = jsonArray) {
      if (underWay >= most)
        throw new HttpError(
          503,
          'Too many whole lists are being read right now. Try again, or read pages by `limit`.',
          {
            headers: { 'Retry-After': '5' },
          },
        );
      underWay += 1;
      try {
        const body = Readable.from(chunksOf(rows, format));
        await once(body, 'readable'); // until here a failure can still be answered
        res.type(format.type).setTimeout(idleMs, () => res.destroy());
        await pipeline(body, res);
      } catch (error) {
        // The reader went away, or was too slow: nobody is left to be answered.
        if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
      } finally {
        underWay -= 1;
      }
    },
  };
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
