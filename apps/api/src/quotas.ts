import { type LimitName, limits } from '@rtr/shared';
import type { Db } from 'mongodb';
import { RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import { LimitReachedError } from './errors.ts';

const secondsPerDay = 24 * 60 * 60;
/**
 * The Retry-After header if a quota is reached that does not reset with time. The value is arbitrary: the customer must
 * delete one of the reviews, or close the conversation, first.
 */
const retryAfterChangeSeconds = 60 * 60;

const dailyQuotas = {
  services: { maxCount: limits.servicesPerDay, limit: 'services-per-day', noun: 'services' },
  edits: { maxCount: limits.serviceEditsPerDay, limit: 'edits-per-day', noun: 'edits of services' },
  reviews: { maxCount: limits.reviewsPerDay, limit: 'reviews-per-day', noun: 'reviews' },
  reports: { maxCount: limits.reportsPerDay, limit: 'reports-per-day', noun: 'reports' },
  conversations: { maxCount: limits.conversationsPerDay, limit: 'conversations-per-day', noun: 'requests' },
  messages: { maxCount: limits.messagesPerDay, limit: 'messages-per-day', noun: 'messages' },
} as const satisfies Record<string, { maxCount: number; limit: LimitName; noun: string }>;

export interface Quotas {
  /**
   * Counts a write in a daily quota of the customer, and then runs `write`. If the write fails, it does not count. Throws a
   * LimitReachedError if the quota is reached. All API instances share the counts. A day begins with the first write.
   */
  countDaily<T>(quota: keyof typeof dailyQuotas, uid: string, write: () => Promise<T>): Promise<T>;
  /**
   * Throws a LimitReachedError if the customer has too many reviews of a service for another one. `count` is the number of
   * reviews that are stored, so concurrent requests can exceed this quota by their number.
   */
  checkReviewsOfService(count: number, purpose: 'add another' | 'restore this one'): void;
  /** Throws a LimitReachedError if a conversation has too many messages for another one. `count` is a plain count, too. */
  checkMessagesOfConversation(count: number): void;
}

/** For the commands of operators and for a development server without rate limits. */
export const noQuotas: Quotas = {
  countDaily: (_quota, _uid, write) => write(),
  checkReviewsOfService: () => {},
  checkMessagesOfConversation: () => {},
};

/** Creates the quotas, which limit how much each customer writes. */
export function createQuotas(db: Db): Quotas {
  const createLimiter = (keyPrefix: string, points: number) =>
    new RateLimiterMongo({
      storeClient: db,
      tableName: 'limits',
      keyPrefix,
      points,
      duration: secondsPerDay,
      disableIndexesCreation: true, // The migrate command creates the indexes of this collection.
    });
  const limiters = new Map(
    Object.entries(dailyQuotas).map(([name, { maxCount }]) => [name, createLimiter(name, maxCount)]),
  );

  return {
    async countDaily(quota, uid, write) {
      const limiter = limiters.get(quota);
      await limiter?.consume(uid).catch((error: unknown) => {
        throw error instanceof RateLimiterRes ? createDailyLimitError(quota, error.msBeforeNext) : error;
      });
      try {
        return await write();
      } catch (error) {
        await limiter?.reward(uid).catch(() => {});
        throw error;
      }
    },

    checkReviewsOfService(count, purpose) {
      if (count < limits.liveReviewsPerService) return;
      throw new LimitReachedError(
        `You have ${limits.liveReviewsPerService} reviews of this service. This is the limit for one account. Delete one of them to ${purpose}.`,
        'reviews-per-service',
        retryAfterChangeSeconds,
      );
    },

    checkMessagesOfConversation(count) {
      if (count < limits.messagesPerConversation) return;
      throw new LimitReachedError(
        `This request has ${limits.messagesPerConversation} messages. This is the limit for one request. After it is closed, the customer can send a new request.`,
        'messages-per-conversation',
        retryAfterChangeSeconds,
      );
    },
  };
}

function createDailyLimitError(quota: keyof typeof dailyQuotas, msBeforeNext: number): LimitReachedError {
  const { maxCount, limit, noun } = dailyQuotas[quota];
  const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000));
  return new LimitReachedError(
    `You have added ${maxCount} ${noun} in the last 24 hours. This is the limit for one account. You can add the next one in ${formatDuration(seconds)}.`,
    limit,
    seconds,
  );
}

function formatDuration(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes > 90) return `${Math.ceil(minutes / 60)} hours`;
  return minutes === 1 ? '1 minute' : `${minutes} minutes`;
}
