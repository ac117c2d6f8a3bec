import { isIPv6 } from 'node:net';
import type { Db } from 'mongodb';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { LimitReachedError } from '../errors.ts';

const windowSeconds = 60;
/** The maximum number of writes of a customer per minute. A person needs far fewer. */
const writesPerWindow = 120;
const requestsPerWindow = 1200;

interface RateLimits {
  /** Counts a write or a POST /jwt request of a customer. All API instances share this count. */
  countWrite: (uid: string) => Promise<void>;
  /**
   * Counts a request from a client address. Each API instance has its own count. If the address has sent too many requests,
   * returns the number of seconds after which it can send the next one.
   */
  countRequest: (address: string) => number | undefined;
}

export function createRateLimits(db: Db, isEnabled: boolean): RateLimits {
  if (!isEnabled) return { countWrite: async () => {}, countRequest: () => undefined };

  const writes = new RateLimiterMongo({
    storeClient: db,
    tableName: 'limits',
    keyPrefix: '',
    points: writesPerWindow,
    duration: windowSeconds,
    inMemoryBlockOnConsumed: writesPerWindow,
    disableIndexesCreation: true, // The migrate command creates the indexes of this collection.
  });

  return {
    async countWrite(uid) {
      try {
        await writes.consume(uid);
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const seconds = toSeconds(error.msBeforeNext);
        throw new LimitReachedError(describeLimit(seconds), 'writes-per-minute', seconds);
      }
    },
    countRequest: createRequestCounter(),
  };
}

/**
 * Counts requests in the memory of this process. The function is synchronous, because creating a promise would take longer
 * than counting.
 */
function createRequestCounter() {
  /** The current time window of each client. The windows are sorted by their starts, so the first one ends first. */
  const windows = new Map<string, { count: number; endsAt: number }>();
  return (address: string): number | undefined => {
    const key = rateLimitKey(address);
    const now = performance.now();
    let window = windows.get(key);
    if (!window || window.endsAt <= now) {
      for (const [oldest, { endsAt }] of windows) {
        if (endsAt > now) break;
        windows.delete(oldest);
      }
      window = { count: 0, endsAt: now + windowSeconds * 1000 };
      windows.set(key, window);
    }
    window.count += 1;
    return window.count > requestsPerWindow ? toSeconds(window.endsAt - now) : undefined;
  };
}

const toSeconds = (milliseconds: number) => Math.max(1, Math.ceil(milliseconds / 1000));

export const describeLimit = (seconds: number) => `Too many requests in one minute. Try again in ${seconds} s.`;

/**
 * Returns the key under which the requests of a client address are counted. An IPv4 address is its own key. The key of an
 * IPv6 address is its first 56 bits, because a provider usually gives all addresses with the same 56 bits to one customer.
 */
export function rateLimitKey(address: string): string {
  if (!address.includes(':')) return address;
  const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mappedIpv4 !== undefined) return mappedIpv4;
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const [a = 0, b = 0, c = 0, d = 0] = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
  return [a, b, c, d >> 8].map((group) => group.toString(16)).join(':');
}
