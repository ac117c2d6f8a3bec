import { limits } from '@rtr/shared';
import * as z from 'zod/mini';
import { limitedText } from '../../lib/form.ts';
import { starCounts } from './queries.ts';

const content = limitedText(limits.reviewLength);
const stars = z.optional(z.pipe(z.enum(starCounts), z.transform(Number)));

/** The schema of the form for a new review. The form has no date and time: the action of the route adds them. */
export const reviewForm = z.object({
  serviceName: z.string(),
  price: z.string(),
  img: z.string(),
  customer: z.string(),
  email: z.string(),
  costomerImg: z.string(),
  review: content,
  rating: stars,
  idempotencyKey: z.string(),
});

/**
 * The schema of the form that edits a review. A form without stars removes the stars of the review. `version` is the version
 * that the customer has edited.
 */
export const editForm = z.object({ review: content, rating: stars, version: z.string(), idempotencyKey: z.string() });
