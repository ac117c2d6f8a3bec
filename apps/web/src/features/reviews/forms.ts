import { limits, type ReviewPhoto, text } from '@rtr/shared';
import * as z from 'zod/mini';
import { readPhotos } from '../../lib/photos.ts';
import { starCounts } from './queries.ts';

const content = text(limits.reviewLength);
const stars = z.optional(z.pipe(z.enum(starCounts), z.transform(Number)));

/** The schema of the form for the reply to a review. */
export const replyForm = z.object({
  reply: text(limits.replyLength).check(z.regex(/\S/, { error: 'Write your reply first.' })),
  idempotencyKey: z.string(),
});

/** The photos as JSON. If the field is missing, a new review has no photos, and an edit does not change the photos. */
const photos = z.optional(
  z.pipe(
    z.string(),
    z.transform((json: string) => readPhotos<ReviewPhoto>(json)),
  ),
);

/** Converts the values of the form to texts, because a draft contains only texts. */
export const draftValuesOf = ({ review, rating, photos }: DraftedReview) => ({
  review,
  rating: String(rating ?? ''),
  ...(photos && { photos: JSON.stringify(photos) }),
});

interface DraftedReview {
  review: string;
  rating?: number | undefined;
  photos?: ReviewPhoto[] | undefined;
}

/** The schema of the form for a new review. The action of the route adds the date and the time. */
export const reviewForm = z.object({
  serviceName: z.string(),
  price: z.string(),
  img: z.string(),
  customer: z.string(),
  email: z.string(),
  costomerImg: z.string(),
  review: content,
  rating: stars,
  photos,
  idempotencyKey: z.string(),
});

/**
 * The schema of the form that edits a review. If no stars are chosen, the edit removes the stars. `version` is the
 * version of the review that the edit is based on.
 */
export const editForm = z.object({
  review: content,
  rating: stars,
  photos,
  version: z.string(),
  idempotencyKey: z.string(),
});
