import * as z from 'zod/mini';
import { after, id, limit, pictureUrl, stars, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';

/** A review as everyone can read it: without the author's email and uid. */
export const review = z.strictObject({
  _id: id,
  serviceId: id,
  serviceName: z.string(),
  /** The price and picture of the service at the time of the review. */
  price: z.string(),
  img: z.string(),
  /** The author's name and photo at the time of the review. */
  customer: z.string(),
  /** The misspelt name of this field is part of the wire format. Use another name everywhere else. */
  costomerImg: z.string(),
  review: z.string(),
  rating: z.optional(stars),
  /** Present if the author also listed the service. The stars of such a review do not count. */
  byLister: z.optional(z.literal(true)),
  /** The date and time as locale strings of the author's browser. They are displayed as stored. */
  time: z.string(),
  date: z.string(),
  createdAt: timestamp,
  /** Later than `createdAt` if the review was edited. */
  updatedAt: timestamp,
});

/** A review as its author can read it. */
export const ownReview = z.extend(review, { email: z.string() });

/** The response for a single review. Only its author receives `email`. */
export const reviewForReader = z.extend(review, { email: z.optional(z.string()) });

/**
 * A new review: the ten fields of the specification, and `rating`. The API stores only `serviceId`, `review`, `rating`,
 * `time` and `date`. It takes the author from the token, and title, price and picture from the stored service. If there is
 * an `email`, it must be the one of the token.
 */
export const reviewInput = z.strictObject({
  serviceId: id,
  serviceName: z.optional(text(limits.titleLength)),
  price: z.optional(text(limits.priceLength)),
  customer: z.optional(text(limits.sentNameLength)),
  email: z.optional(text(limits.emailLength)),
  review: z._default(text(limits.reviewLength), ''),
  rating: z.optional(stars),
  img: z.optional(pictureUrl),
  costomerImg: z.optional(pictureUrl),
  time: z._default(text(limits.dateTextLength), ''),
  date: z._default(text(limits.dateTextLength), ''),
});

/** An edit of a review: new text, new stars, or both. A `rating` of null removes the stars. */
export const reviewEdit = z
  .strictObject({
    review: z.optional(text(limits.reviewLength)),
    rating: z.optional(z.nullable(stars)),
  })
  .check(
    z.refine((edit) => edit.review !== undefined || edit.rating !== undefined, {
      error: 'must contain `review`, `rating` or both',
    }),
  );

export const reviewSort = z.enum(['newest', 'highest', 'lowest']);

/**
 * The query of a service's reviews. With `serviceId` alone, the response streams all reviews. With any other parameter, it
 * is a page of `limit` reviews (20 by default).
 */
export const serviceReviewsQuery = z.strictObject({
  serviceId: id,
  rating: z.optional(z.pipe(z.enum(['1', '2', '3', '4', '5']), z.transform(Number))),
  sort: z.optional(reviewSort),
  limit: z.optional(limit),
  after: z.optional(after),
});

/** The query of a customer's own reviews. With `email` alone, the response streams all reviews. Otherwise it is a page. */
export const ownReviewsQuery = z.strictObject({
  email: text(limits.emailLength).check(z.minLength(1)),
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
