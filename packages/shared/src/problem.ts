import * as z from 'zod/mini';

/** The limit that a 429 response is about. Waiting does not help with `reviews-per-service`: a review must be deleted. */
export const limitName = z.enum([
  'requests-per-minute',
  'writes-per-minute',
  'lists-at-once',
  'services-per-day',
  'reviews-per-day',
  'reviews-per-service',
]);

export type LimitName = z.infer<typeof limitName>;

/** An RFC 9457 problem, sent as `application/problem+json`. */
export const problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** Shown to people: what is wrong and what to do. */
  detail: z.string(),
  /** The request id, which is also in the logs. */
  instance: z.string(),
  /** With status 429: the limit that was reached. */
  limit: z.optional(limitName),
  /** The invalid values. Each `path` is dotted and starts with body, query, params or headers. */
  errors: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
});

export type Problem = z.infer<typeof problem>;
