import { isIPv6 } from 'node:net';
import type { LimitName } from '@rtr/shared';
import type { RequestHandler } from 'express';
import type { Db } from 'mongodb';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { HttpError } from './problem.ts';

export interface Limits {
  /** Counts one write, or one /jwt, of a customer. Shared by all instances. */
  spend: (uid: string) => Promise<void>;
  /** Counts one request of an address, in this instance alone. */
  perAddress: RequestHandler;
}

const minute = 60;
/** Far more than a person needs, far less than a flood. */
const writesAMinute = 120;
const requestsAMinute = 1200;

interface LimitsOptions {
  db: Db;
  on: boolean;
  /** Told whose limit was spent. */
  refused: (limit: 'address' | 'customer') => void;
}

export function limits({ db, on, refused }: LimitsOptions): Limits {
  if (!on) return { spend: async () => {}, perAddress: (_req, _res, next) => next() };

  const writes = new RateLimiterMongo({
    storeClient: db,
    tableName: 'limits',
    keyPrefix: '',
    points: writesAMinute,
    duration: minute,
    inMemoryBlockOnConsumed: writesAMinute,
    disableIndexesCreation: true, // they are made with all others
  });
  const requests = new RateLimiterMemory({ points: requestsAMinute, duration: minute });

  return {
    spend: (uid) => consume(writes, uid, 'writes-per-minute', () => refused('customer')),
    perAddress: async (req, _res, next) => {
      await consume(requests, addressKey(req.ip ?? ''), 'requests-per-minute', () => refused('address'));
      next();
    },
  };
}

async function consume(
  limiter: RateLimiterMemory | RateLimiterMongo,
  key: string,
  limit: LimitName,
  refused: () => void,
): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal;
    refused();
    const seconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1000));
    throw new HttpError(429, `That was too much in a minute. Try again in ${seconds} s.`, {
      limit,
      headers: { 'Retry-After': String(seconds) },
    });
  }
}

/** What an address is counted by: IPv4 whole; IPv6 by its first 56 bits, since one customer gets so many addresses. */
export function addressKey(address: string): string {
  const v4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (v4 !== undefined) return v4;
  if (!isIPv6(address)) return address;
  const [left = [], right = []] = address.split('::').map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0');
  const [a = 0, b = 0, c = 0, d = 0] = [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16));
  return [a, b, c, d >> 8].map((group) => group.toString(16)).join(':');
}
