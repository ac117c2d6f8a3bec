import type { Collection, Filter, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { ReviewDocument } from '../database/documents/reviews.ts';

/** The maximum number of reviews that one command changes. It is small, so that the command ends before its timeout. */
const reviewsPerBatch = 100;

/**
 * Calls `change` for reviews that match `filter`, up to 100 at a time, until none matches any more. So `change` must erase
 * the reviews, or change them so that they do not match. It receives a filter with the shard keys of the reviews.
 */
export async function changeInBatches(
  reviews: Collection<ReviewDocument>,
  filter: Filter<ReviewDocument>,
  change: (batch: Filter<ReviewDocument>, serviceIds: ObjectId[]) => Promise<unknown>,
): Promise<void> {
  const options = { ...readTimeout, projection: { serviceId: 1 }, limit: reviewsPerBatch };
  for (;;) {
    const batch = await reviews.find(filter, options).toArray();
    if (batch.length === 0) return;
    const serviceIds = [...new Map(batch.map(({ serviceId }) => [serviceId.toHexString(), serviceId])).values()];
    await change({ ...filter, _id: { $in: batch.map(({ _id }) => _id) }, serviceId: { $in: serviceIds } }, serviceIds);
  }
}
