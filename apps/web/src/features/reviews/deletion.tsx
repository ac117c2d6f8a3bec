import type { Review, ReviewSort } from '@rtr/shared';
import type { ActionFunctionArgs } from 'react-router-dom';
import { appIn } from '../../lib/app.ts';
import { type DeletionTexts, deleteOrRestore } from '../../ui/delete-or-restore.ts';
import { byNewest, type Deletions, useDeletions } from '../../ui/deletion.tsx';
import { deleteReply, deleteReview, putReply, restoreReview } from './write.ts';

const texts: DeletionTexts = {
  delete: 'Delete',
  deleteOf: (service) => `Delete your review of ${service}`,
  confirmation: 'Are you sure want to delete the review',
  deleting: 'Deleting your review…',
  deleted: 'Deleted Successfully',
  alreadyDeleted: 'This review was already deleted.',
  notDeleted: 'Your review was not deleted. Try again.',
  deletedOf: (service) => (
    <>
      Your review of <bdi>{service}</bdi> is deleted.
    </>
  ),
  restore: () => 'Undo',
  restoring: 'Restoring your review…',
  restored: 'Your review is back.',
  notRestored: 'Your review was not restored. Try again.',
};

const replyTexts: DeletionTexts = {
  delete: 'Delete',
  deleteOf: (review) => `Delete reply to ${review}`,
  confirmation: 'Delete your reply? Nobody can then see it.',
  deleting: 'Deleting your reply…',
  deleted: 'Your reply is deleted.',
  alreadyDeleted: 'This reply was already deleted.',
  notDeleted: 'Your reply was not deleted. Try again.',
  deletedOf: () => <bdi>Your reply is deleted.</bdi>,
  restore: () => 'Undo',
  restoring: 'Restoring your reply…',
  restored: 'Your reply is back.',
  notRestored: 'Your reply was not restored. Try again.',
};

/** The action of the routes that list reviews. It deletes or restores a review, or the reply to a review. */
export async function deleteOrRestoreReview({ request, context }: ActionFunctionArgs) {
  const app = appIn(context);
  const form = await request.formData();
  const reply = form.get('reply');
  if (typeof reply === 'string') {
    const calls = { remove: (id: string) => deleteReply(app, id), restore: (id: string) => putReply(app, id, reply) };
    return deleteOrRestore(form, calls, replyTexts);
  }
  const calls = { remove: (id: string) => deleteReview(app, id), restore: (id: string) => restoreReview(app, id) };
  return deleteOrRestore(form, calls, texts);
}

/** The reviews that were deleted or restored on this screen, and those that the customer can still restore. */
export const useReviewDeletions = <R extends Review>(deletedBefore?: readonly R[]) =>
  useDeletions<R>(texts, { deletedBefore });

/** The replies that were deleted or restored on this screen. To restore a reply, the app sends its text to the API again. */
export const useReplyDeletions = () =>
  useDeletions<Review>(replyTexts, { fieldsOf: ({ reply }) => ({ reply: reply?.text ?? '' }) });

/**
 * Returns the review with the reply to show. Leaves out a deleted reply. Includes a restored reply even if the fetched
 * list does not contain this reply yet.
 */
export function withShownReply({ reply: saved, ...review }: Review, deletions: Deletions<Review>): Review {
  const state = deletions.stateOf(review);
  const isDeleted = state === 'deleted' || state === 'gone';
  const reply = isDeleted ? undefined : (saved ?? deletions.find(review._id)?.reply);
  return { ...review, ...(reply && { reply }) };
}

/** Compares two reviews in the same way as the API. */
export const comparators: Record<ReviewSort, (a: Review, b: Review) => number> = {
  newest: byNewest,
  useful: (a, b) => b.usefulCount - a.usefulCount || byNewest(a, b),
  highest: (a, b) => (countedStars(b) ?? 0) - (countedStars(a) ?? 0) || byNewest(a, b),
  lowest: (a, b) => (countedStars(a) ?? 6) - (countedStars(b) ?? 6) || byNewest(a, b),
  unanswered: (a, b) => Number(awaitsReply(b)) - Number(awaitsReply(a)) || byNewest(a, b),
};

const awaitsReply = ({ reply, byLister }: Review) => !reply && !byLister;

/**
 * Returns the stars by which the API sorts and filters a review. The result is undefined for a lister's review of their own
 * service, because its stars do not count.
 */
export const countedStars = ({ rating, byLister }: Review) => (byLister ? undefined : rating);
