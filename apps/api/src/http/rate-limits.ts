import { isIPv6 } from 'node:net';
import type { LimitName } from '@rtr/shared';
import type { RequestHandler } from 'express';
import type { Db } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { LimitReachedError } from '../errors.ts';

const windowSeconds = 60;
/** The maximum number of writes of a customer per minute. A person needs far fewer. */
const writesPerWindow = 120;
const requestsPerWindow = 1200;

interface RateLimits {
  /** Counts one write or one POST /jwt request of a customer. All API instances share the count. */
  countWrite: (uid: string) => Promise<void>;
  /** Counts one request from a client address. Each API instance has its own count. */
  countRequest: RequestHandler;
}

export function createRateLimits(db: Db, isEnabled: boolean): RateLimits {
  if (!isEnabled) return { countWrite: async () => {}, countRequest: (_req, _res, next) => next() };

  const writes = new RateLimiterMongo({
    storeClient: db,
    tableName: 'limits',
    keyPrefix: '',
    points: writesPerWindow,
    duration: windowSeconds,
    inMemoryBlockOnConsumed: writesPerWindow,
    disableIndexesCreation: true, // the migrate command creates the indexes
  });
  const requests = new RateLimiterMemory({ points: requestsPerWindow, duration: windowSeconds });

  return {
    countWrite: (uid) => consume(writes, uid, 'writes-per-minute'),
    countRequest: async (req, _res, next) => {
      await consume(requests, rateLimitKey(req.ip ?? ''), 'requests-per-minute');
      next();
    },
  };
}

async function consume(limiter: RateLimiterMemory | RateLimiterMongo, key: string, limit: LimitName): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    const seconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
    throw new LimitReachedError(`Too many requests in one minute. Try again in ${seconds} s.`, limit, seconds);
  }
}

/**
 * Returns the key that the requests of a client address are counted under. The key of an IPv4 address is the complete
 * address. The key of an IPv6 address is its first 56 bits, because a provider gives all addresses with the same 56 bits to
 * one customer.
 */
export function rateLimitKey(address: string): string {
  const mappedIpv4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mappedIpv4 !== undefined) return mappedIpv4;
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const [a = 0, b = 0, c = 0, d = 0] = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
  return [a, b, c, d >> 8].map((group) => group.toString(16)).join(':');
}
