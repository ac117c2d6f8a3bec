import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Response } from 'express';
import { LimitReachedError, UnavailableError } from '../errors.ts';
import { rateLimitKey } from './rate-limits.ts';

/** The maximum number of lists that are sent at the same time. */
const maxOpen = 20;
/** The maximum number of lists that are sent to one client address at the same time. */
const maxOpenPerAddress = 5;
const retryAfterSeconds = 5;
const minChunkLength = 16_384;

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

export type ListStreams = ReturnType<typeof createListStreams>;

/**
 * Sends lists of any length as streams, with constant memory use. A list is sent as a JSON array or in another format. The
 * number of lists that are sent at the same time is limited. A list whose client reads nothing for `idleTimeoutMs` is aborted.
 */
export function createListStreams(idleTimeoutMs = 15_000) {
  /** The client address of each list that is being sent (see `rateLimitKey`). */
  const openAddresses: string[] = [];

  async function sendRows<T>(res: Response, rows: AsyncIterable<T>, format: ListFormat<T>): Promise<void> {
    let chunk = format.prefix;
    let separator = '';
    for await (const row of rows) {
      // Leaving the loop closes the database cursor.
      if (res.destroyed) return;
      chunk += separator + format.serialize(row);
      separator = format.separator;
      if (chunk.length < minChunkLength) continue;
      // The headers are sent with the first rows. If reading these rows fails, the API can still send a problem response.
      if (!res.headersSent) res.type(format.contentType);
      if (!res.write(chunk)) await waitForClient(res, idleTimeoutMs);
      chunk = '';
      // Many rows arrive together. Without this pause, other requests would wait until all of them are sent.
      await nextTurn();
    }
    if (!res.headersSent) res.type(format.contentType);
    res.end(chunk + format.suffix);
  }

  return {
    openCount: () => openAddresses.length,

    /** Sends the rows as a stream. Reads no rows if the request is a HEAD request. */
    async send<T>(res: Response<T[]>, rows: AsyncIterable<T>, format: ListFormat<T> = jsonArray): Promise<void> {
      if (res.req.method === 'HEAD') {
        res.type(format.contentType).end();
        return;
      }
      const address = rateLimitKey(res.req.ip ?? '');
      if (openAddresses.filter((open) => open === address).length >= maxOpenPerAddress)
        throw new LimitReachedError(
          `Your address is already reading ${maxOpenPerAddress} complete lists. Try again when one has ended, or read pages with \`limit\`.`,
          'lists-at-once',
          retryAfterSeconds,
        );
      if (openAddresses.length >= maxOpen)
        throw new UnavailableError(
          'Too many complete lists are being read right now. Try again, or read pages with `limit`.',
          retryAfterSeconds,
        );
      openAddresses.push(address);
      try {
        await sendRows(res, rows, format);
      } catch (error) {
        if (!res.destroyed) throw error;
      } finally {
        openAddresses.splice(openAddresses.indexOf(address), 1);
      }
    },
  };
}

/** Waits until the client has read the data sent so far, or has disconnected. Disconnects it after the timeout. */
function waitForClient(res: Response, timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => res.destroy(), timeoutMs);
    const finish = () => {
      clearTimeout(timer);
      res.off('drain', finish).off('close', finish);
      resolve();
    };
    res.on('drain', finish).on('close', finish);
  });
}
