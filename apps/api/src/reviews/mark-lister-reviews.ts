import type { ObjectId } from 'mongodb';
import type { Collections } from '../database/collections.ts';
import { createSummaryStore } from './summaries.store.ts';

/** The number of services in one batch. `writeAndInvalidate` accepts at most this number of services. */
const servicesPerBatch = 100;

interface Listing {
  serviceId: ObjectId;
  uid: string;
}

/**
 * Marks the reviews that listers wrote about their own services with earlier versions of the API, and removes their stars
 * from all counts (docs/decisions/0012). The API marks new reviews when it inserts them. Returns the number of marked
 * reviews. Idempotent. While API instances of the previous version are running, they may insert more unmarked reviews. The
 * next run marks these reviews.
 */
export async function markListerReviews({ services, reviews }: Collections): Promise<number> {
  const summaries = createSummaryStore({ services, reviews });
  const listedServices = services.find({ createdBy: { $ne: null } }, { projection: { createdBy: 1 } });
  let batch: Listing[] = [];
  let markedCount = 0;
  for await (const { _id, createdBy } of listedServices) {
    if (createdBy !== null) batch.push({ serviceId: _id, uid: createdBy });
    if (batch.length === servicesPerBatch) {
      markedCount += await markReviewsOf(batch);
      batch = [];
    }
  }
  return markedCount + (await markReviewsOf(batch));

  async function markReviewsOf(listings: Listing[]): Promise<number> {
    if (listings.length === 0) return 0;
    // A marked review has `byLister: true` and `rating: 0`. An API instance of the previous version can add stars to
    // its `rating` again, so `rating` is checked too.
    const isUnmarked = { $or: [{ byLister: { $ne: true } }, { rating: { $gt: 0 } }] };
    const unmarked = await reviews
      .find({ $or: listings.map((listing) => ({ ...listing, ...isUnmarked })) })
      .project<{ _id: ObjectId; serviceId: ObjectId }>({ serviceId: 1 })
      .toArray();
    if (unmarked.length === 0) return 0;
    const serviceIds = [...new Map(unmarked.map(({ serviceId }) => [serviceId.toHexString(), serviceId])).values()];
    const filter = { _id: { $in: unmarked.map(({ _id }) => _id) }, serviceId: { $in: serviceIds }, ...isUnmarked };
    await summaries.writeAndInvalidate(serviceIds, () =>
      reviews.updateMany(filter, [
        { $set: { byLister: true, awaitsReply: false, listerRating: '$rating', rating: 0, lowestRating: 6 } },
      ]),
    );
    await summaries.recompute(serviceIds);
    return unmarked.length;
  }
}
