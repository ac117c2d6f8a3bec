import * as z from 'zod/mini';

/**
 * The limit that was reached, in a 429 response. For `reviews-per-service`, waiting does not help: the customer must delete
 * a review.
 */
export const limitName = z.enum([
  'requests-per-minute',
  'writes-per-minute',
  'lists-at-once',
  'services-per-day',
  'reviews-per-day',
  'reviews-per-service',
]);

export type LimitName = z.infer<typeof limitName>;

/** The body of an error response: an RFC 9457 problem, sent as `application/problem+json`. */
export const problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** A text for the user, which says what is wrong and what to do. */
  detail: z.string(),
  /** The request id, which is also in the logs of the API. */
  instance: z.string(),
  /** Present with status 429: the limit that was reached. */
  limit: z.optional(limitName),
  /** The invalid values of the request. Each `path` is dotted and starts with body, query, params or headers. */
  errors: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
});

export type Problem = z.infer<typeof problem>;
