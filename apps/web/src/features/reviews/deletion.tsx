import type { Review, ReviewSort } from '@rtr/shared';
import type { ActionFunctionArgs } from 'react-router-dom';
import { appIn } from '../../lib/app.ts';
import { byNewest, type DeletionTexts, deleteOrRestore, useDeletions } from '../../ui/deletion.tsx';
import { deleteReview, restoreReview } from './write.ts';

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
  restoring: 'Restoring your review…',
  restored: 'Your review is back.',
  notRestored: 'Your review was not restored. Try again.',
};

/** The action of the routes that list own reviews. It deletes or restores one review. */
export function deleteOrRestoreReview({ request, context }: ActionFunctionArgs) {
  const app = appIn(context);
  const calls = { remove: (id: string) => deleteReview(app, id), restore: (id: string) => restoreReview(app, id) };
  return deleteOrRestore(request, calls, texts);
}

/** The reviews that were deleted or restored on this screen. The name of an item is the title of its service. */
export const useReviewDeletions = <R extends Review>() => useDeletions<R>(texts);

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
 * Returns the stars by which the API sorts and filters a review. If the lister reviews their own service, the stars do not
 * count, and the result is undefined.
 */
export const countedStars = ({ rating, byLister }: Review) => (byLister ? undefined : rating);
