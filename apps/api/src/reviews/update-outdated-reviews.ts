import type { ObjectId } from 'mongodb';
import type { Collections } from '../database/collections.ts';
import { isOutdated, type ReviewDocument } from '../database/documents/reviews.ts';
import { createSummaryStore } from './summaries.store.ts';

/** The number of reviews in one batch. `writeAndInvalidate` accepts at most this number of services. */
const reviewsPerBatch = 100;
/**
 * If the author of a review is the lister, this filter matches the review unless it is stored as a review by the lister:
 * with `byLister: true`, and without stars in `rating`.
 */
const isUnmarked = { $or: [{ byLister: { $ne: true } }, { rating: { $gt: 0 } }] };
const missingFields = {
  usefulCount: { $ifNull: ['$usefulCount', 0] },
  awaitsReply: {
    $ifNull: ['$awaitsReply', { $and: [{ $ne: ['$byLister', true] }, { $eq: [{ $type: '$reply' }, 'missing'] }] }],
  },
};

type OutdatedReview = Pick<ReviewDocument, '_id' | 'serviceId' | 'uid' | 'rating' | 'byLister'>;

/**
 * Updates the reviews that earlier versions of the API have written. Marks the reviews that listers wrote about their own
 * services, and removes the stars of these reviews from all counts (docs/decisions/0012). Adds the fields by which lists are
 * sorted. Returns the numbers of marked reviews and of reviews with new fields. Idempotent. While API instances of the
 * previous version are running, they may write more such reviews. The next run updates these reviews.
 */
export async function updateOutdatedReviews({ services, reviews }: Pick<Collections, 'services' | 'reviews'>) {
  const summaries = createSummaryStore({ services, reviews });
  const projection = { serviceId: 1, uid: 1, rating: 1, byLister: 1 };
  const outdated = reviews.find<OutdatedReview>(isOutdated, { hint: 'outdated', projection });
  const counts = { marked: 0, completed: 0 };
  let batch: OutdatedReview[] = [];
  for await (const review of outdated) {
    batch.push(review);
    if (batch.length === reviewsPerBatch) {
      await update(batch);
      batch = [];
    }
  }
  if (batch.length > 0) await update(batch);
  return counts;

  async function update(batch: readonly OutdatedReview[]): Promise<void> {
    const _id = { $in: batch.map((review) => review._id) };
    const serviceId = { $in: uniqueIds(batch) };
    const listers = new Map<string, string | null>();
    for await (const { _id, createdBy } of services.find({ _id: serviceId }, { projection: { createdBy: 1 } }))
      listers.set(_id.toHexString(), createdBy);
    const isByLister = ({ byLister, serviceId, uid }: OutdatedReview) =>
      byLister || listers.get(serviceId.toHexString()) === uid;
    await mark(batch.filter(isByLister));
    const { modifiedCount } = await reviews.updateMany({ _id, serviceId, ...isOutdated }, [{ $set: missingFields }]);
    counts.completed += modifiedCount;
  }

  async function mark(batch: readonly OutdatedReview[]): Promise<void> {
    const unmarked = batch.filter(({ byLister, rating }) => !byLister || rating > 0);
    if (unmarked.length === 0) return;
    const serviceIds = uniqueIds(unmarked);
    const filter = { _id: { $in: unmarked.map(({ _id }) => _id) }, serviceId: { $in: serviceIds }, ...isUnmarked };
    await summaries.writeAndInvalidate(serviceIds, async () => {
      const { modifiedCount } = await reviews.updateMany(filter, [
        { $set: { byLister: true, awaitsReply: false, listerRating: '$rating', rating: 0, lowestRating: 6 } },
      ]);
      counts.marked += modifiedCount;
    });
    await summaries.recompute(serviceIds);
  }
}

function uniqueIds(batch: readonly OutdatedReview[]): ObjectId[] {
  return [...new Map(batch.map(({ serviceId }) => [serviceId.toHexString(), serviceId])).values()];
}
