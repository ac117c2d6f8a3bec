import * as z from 'zod/mini';

/** How much one customer may write. A day is the last 24 hours. */
export const customerLimits = { servicesPerDay: 100, reviewsPerDay: 300, liveReviewsPerService: 10 } as const;

/** Which limit a 429 is about. Waiting does not help against `reviews-per-service`: one of those has to be deleted. */
export const limitName = z.enum([
  'requests-per-minute',
  'writes-per-minute',
  'lists-at-once',
  'services-per-day',
  'reviews-per-day',
  'reviews-per-service',
]);

export type LimitName = z.infer<typeof limitName>;
