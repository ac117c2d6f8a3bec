import * as z from 'zod/mini';

const words = z.string().check(z.maxLength(5000, { error: 'Keep it to 5,000 characters.' }));
const stars = z.optional(z.pipe(z.enum(['1', '2', '3', '4', '5']), z.transform(Number)));

/** What the form for a new review holds: the specification's fields but the time, which is that of sending. */
export const reviewForm = z.object({
  serviceName: z.string(),
  price: z.string(),
  img: z.string(),
  customer: z.string(),
  email: z.string(),
  costomerImg: z.string(),
  review: words,
  rating: stars,
  idempotencyKey: z.string(),
});

/** What the form for an edit holds. Without stars those that were given are taken away. */
export const editForm = z.object({ review: words, rating: stars });
