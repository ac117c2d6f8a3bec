import * as z from 'zod/mini';
import { after, hiddenContent, id, limit, pictureUrl, stars, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';

/** A photo in a review: the URL of an uploaded picture, and a description for people who cannot see the photo. */
export const reviewPhoto = z.strictObject({ url: pictureUrl, alt: text(limits.photoAltLength) });

export const reviewPhotoInput = z.extend(reviewPhoto, { alt: z._default(reviewPhoto.shape.alt, '') });

const photosInput = z.array(reviewPhotoInput).check(
  z.maxLength(limits.photosPerReview),
  z.refine((photos) => new Set(photos.map(({ url }) => url)).size === photos.length, {
    error: 'must not contain the same photo twice',
  }),
);

/** The reply of the lister to a review of their service. */
export const reply = z.strictObject({
  text: z.string(),
  /** The name of the lister when they last saved the reply. */
  name: z.string(),
  createdAt: timestamp,
  /** Later than `createdAt` if the reply was edited. */
  updatedAt: timestamp,
});

/** A review as everyone can read it. It does not contain the email address and the uid of its author. */
export const review = z.strictObject({
  _id: id,
  serviceId: id,
  serviceName: z.string(),
  /** The price of the service at the time of the review. `img` is the picture of the service at that time. */
  price: z.string(),
  img: z.string(),
  /** The name of the author at the time of the review. */
  customer: z.string(),
  /**
   * The picture of the author at the time of the review. The misspelt name `costomerImg` is part of the wire format. Do not
   * use it elsewhere.
   */
  costomerImg: z.string(),
  review: z.string(),
  rating: z.optional(stars),
  /** Present if the review has photos. */
  photos: z.optional(z.array(reviewPhoto)),
  /**
   * Present if the author also listed the service. The stars of such a review do not count towards the rating of the
   * service.
   */
  byLister: z.optional(z.literal(true)),
  /** Present if the lister has replied. While the reply is hidden, only moderators receive it here. */
  reply: z.optional(reply),
  /**
   * The time and the date of the review, as locale strings of the author's browser. They are displayed as they
   * are stored.
   */
  time: z.string(),
  date: z.string(),
  createdAt: timestamp,
  /** Later than `createdAt` if the review was edited. */
  updatedAt: timestamp,
  /** The number of customers who marked the review as useful. */
  usefulCount: z.int().check(z.gte(0)),
  /** Whether the customer with the access token marked the review as useful. Absent without a token. */
  isUsefulToMe: z.optional(z.boolean()),
});

/** A review as its author can read it. It contains the email address of the author. */
export const ownReview = z.extend(review, {
  email: z.string(),
  /** Present if the service of the review is no longer listed. Then only the author and moderators can read the review. */
  isUnlisted: z.optional(z.literal(true)),
  /**
   * Present if a moderator has hidden the review. Then only the author and moderators can read it, and it cannot be changed.
   */
  hidden: z.optional(hiddenContent),
  /** Present if a moderator has removed photos of the review, until the author adds other photos. */
  removedPhotos: z.optional(hiddenContent),
});

/** The response of a route that returns one review. Only the author of the review receives `email`. */
export const reviewForReader = z.extend(review, {
  email: z.optional(z.string()),
  isUnlisted: ownReview.shape.isUnlisted,
  hidden: ownReview.shape.hidden,
  removedPhotos: ownReview.shape.removedPhotos,
});

/**
 * A new review: the ten fields that the specification of the app requires, and also `rating` and `photos`. The API
 * stores only `serviceId`, `review`, `rating`, `photos`, `time` and `date` from the request. The photos must be
 * pictures that the author has uploaded. The author comes from the token. Title, price and picture come from the stored
 * service. If the request contains an `email`, it must be the email address in the token.
 */
export const reviewInput = z.strictObject({
  serviceId: id,
  serviceName: z.optional(text(limits.titleLength)),
  price: z.optional(text(limits.priceLength)),
  customer: z.optional(text(limits.sentNameLength)),
  email: z.optional(text(limits.emailLength)),
  review: z._default(text(limits.reviewLength), ''),
  rating: z.optional(stars),
  photos: z.optional(photosInput),
  img: z.optional(pictureUrl),
  costomerImg: z.optional(pictureUrl),
  time: z._default(text(limits.dateTextLength), ''),
  date: z._default(text(limits.dateTextLength), ''),
});

/**
 * An edit of a review: a new text, new stars or new photos. If `rating` is null, the stars are removed. If `photos` is
 * empty, the photos are removed.
 */
export const reviewEdit = z
  .strictObject({
    review: z.optional(text(limits.reviewLength)),
    rating: z.optional(z.nullable(stars)),
    photos: z.optional(photosInput),
  })
  .check(
    z.refine((edit) => edit.review !== undefined || edit.rating !== undefined || edit.photos !== undefined, {
      error: 'must contain `review`, `rating` or `photos`',
    }),
  );

export const replyInput = z.strictObject({
  text: text(limits.replyLength).check(z.regex(/\S/, { error: 'must not be empty' })),
});

/** A reply as the API sends it to its author, with the ids of the review and of the service. */
export const ownReply = z.extend(reply, {
  reviewId: id,
  serviceId: id,
  /** The title of the service at the time of the review. */
  serviceName: z.string(),
  /** Present if a moderator has hidden the reply. Then only its author and moderators can read it. */
  hidden: z.optional(hiddenContent),
});

export const ownRepliesQuery = z.strictObject({
  /** With this parameter, the list contains only the reply to the review with this id. */
  reviewId: z.optional(id),
  /** With this parameter, the list contains only replies that a moderator has hidden. */
  hidden: z.optional(z.literal('true')),
  limit: z.optional(limit),
  after: z.optional(after),
});

/** With the order `unanswered`, reviews without a reply come first. */
export const reviewSort = z.enum(['newest', 'useful', 'highest', 'lowest', 'unanswered']);

/** The result of marking a review as useful, or of removing the mark. */
export const usefulVote = z.strictObject({ usefulCount: review.shape.usefulCount, isUsefulToMe: z.boolean() });

/** A review that a customer marked as useful. */
export const ownVote = z.strictObject({
  reviewId: id,
  serviceId: id,
  /** The title of the service at the time of the review. */
  serviceName: z.string(),
});

export const ownVotesQuery = z.strictObject({
  limit: z.optional(limit),
  after: z.optional(after),
});

/**
 * The query parameters for the reviews of a service. With `serviceId` alone, the response streams all reviews. With any
 * other parameter, the response is a page of `limit` reviews, or of `limits.defaultPageSize` reviews by default. The
 * parameter `rating` selects reviews by stars. With `rating`, every order except `useful` is the same as `newest`. With `q`,
 * the list contains only reviews whose texts have a word that begins with each word of `q`. With `photos=1`, it contains only
 * reviews with photos.
 */
export const serviceReviewsQuery = z.strictObject({
  serviceId: id,
  rating: z.optional(z.pipe(z.enum(['1', '2', '3', '4', '5']), z.transform(Number))),
  q: z.optional(text(limits.searchLength)),
  photos: z.optional(z.literal('1')),
  sort: z.optional(reviewSort),
  limit: z.optional(limit),
  after: z.optional(after),
});

/**
 * The query parameters for a customer's own reviews. With `email` alone, the response streams all reviews. With any other
 * parameter, the response is a page.
 */
export const ownReviewsQuery = z.strictObject({
  email: text(limits.emailLength).check(z.minLength(1)),
  serviceId: z.optional(id),
  /** With this parameter, the list contains only deleted reviews that can still be restored. */
  deleted: z.optional(z.literal('true')),
  limit: z.optional(limit),
  after: z.optional(after),
});

export type ReviewPhoto = z.infer<typeof reviewPhoto>;
export type Review = z.infer<typeof review>;
export type OwnReview = z.infer<typeof ownReview>;
export type Reply = z.infer<typeof reply>;
export type OwnReply = z.infer<typeof ownReply>;
export type OwnRepliesQuery = z.infer<typeof ownRepliesQuery>;
export type ReviewInput = z.infer<typeof reviewInput>;
export type ReviewEdit = z.infer<typeof reviewEdit>;
export type OwnVote = z.infer<typeof ownVote>;
export type OwnVotesQuery = z.infer<typeof ownVotesQuery>;
export type UsefulVote = z.infer<typeof usefulVote>;
export type ReviewSort = z.infer<typeof reviewSort>;
export type ServiceReviewsQuery = z.infer<typeof serviceReviewsQuery>;
export type OwnReviewsQuery = z.infer<typeof ownReviewsQuery>;
