import * as z from 'zod/mini';
import { after, id, limit, pictureUrl, stars, text, timestamp } from './fields.ts';

/** A review as anyone may read it: no email, no uid. */
export const review = z.strictObject({
  _id: id,
  serviceId: id,
  serviceName: z.string(),
  /** The service's price and picture when the review was written. */
  price: z.string(),
  img: z.string(),
  /** Display name and photo of the author when the review was written. */
  customer: z.string(),
  /** The wire's spelling, kept on the wire and nowhere else. */
  costomerImg: z.string(),
  review: z.string(),
  rating: z.optional(stars),
  /** Present when the author listed the service: its stars count nowhere. */
  byLister: z.optional(z.literal(true)),
  /** Locale strings of the author's browser, shown as stored. */
  time: z.string(),
  date: z.string(),
  createdAt: timestamp,
  /** Later than `createdAt` when the review was edited. */
  updatedAt: timestamp,
});

/** A review as its author reads it. */
export const ownReview = z.extend(review, { email: z.string() });

/** One review: with `email` for its author alone. */
export const reviewForReader = z.extend(review, { email: z.optional(z.string()) });

/**
 * The specification's ten fields and `rating`. Only `serviceId`, `review`, `rating`, `time` and `date` are used: the
 * author comes from the token, the service's facts from the stored service. An `email` must be the token's.
 */
export const reviewInput = z.strictObject({
  serviceId: id,
  serviceName: z.optional(text(120)),
  price: z.optional(text(40)),
  customer: z.optional(text(200)),
  email: z.optional(text(320)),
  review: z._default(text(5000), ''),
  rating: z.optional(stars),
  img: z.optional(pictureUrl),
  costomerImg: z.optional(pictureUrl),
  time: z._default(text(40), ''),
  date: z._default(text(40), ''),
});

/** An edit: new text, new stars, or both. A `rating` of null takes the stars away. */
export const reviewEdit = z
  .strictObject({
    review: z.optional(text(5000)),
    rating: z.optional(z.nullable(stars)),
  })
  .check(
    z.refine((edit) => edit.review !== undefined || edit.rating !== undefined, {
      error: 'must hold `review`, `rating` or both',
    }),
  );

export const reviewSort = z.enum(['newest', 'highest', 'lowest']);

/** With `serviceId` alone the answer is every review of it, streamed; any other parameter without `limit` means 20. */
export const serviceReviewsQuery = z.strictObject({
  serviceId: id,
  rating: z.optional(z.pipe(z.enum(['1', '2', '3', '4', '5']), z.transform(Number))),
  sort: z.optional(reviewSort),
  limit: z.optional(limit),
  after: z.optional(after),
});

/** With `email` alone the answer is every review of the customer's own, streamed. */
export const ownReviewsQuery = z.strictObject({
  email: text(320).check(z.minLength(1)),
  serviceId: z.optional(id),
  limit: z.optional(limit),
  after: z.optional(after),
});

export type Review = z.infer<typeof review>;
export type OwnReview = z.infer<typeof ownReview>;
export type ReviewInput = z.infer<typeof reviewInput>;
export type ReviewEdit = z.infer<typeof reviewEdit>;
export type ReviewSort = z.infer<typeof reviewSort>;
export type ServiceReviewsQuery = z.infer<typeof serviceReviewsQuery>;
export type OwnReviewsQuery = z.infer<typeof ownReviewsQuery>;
