import type { ObjectId } from 'mongodb';
import type { Collections } from '../database.ts';
import { summaries } from './summary.ts';

/** As many services as `aroundSome` takes at once. */
const servicesAtOnce = 100;

/**
 * Marks the reviews that listers wrote about their own services before such reviews were marked, and takes their stars
 * out of all counts. Answers how many it marked. May be repeated, also while instances of the version before still run:
 * the next run marks what those wrote meanwhile.
 */
export async function markListerReviews({ services, reviews }: Collections): Promise<number> {
  const summary = summaries({ services, reviews });
  const listed = services.find({ createdBy: { $ne: null } }, { projection: { createdBy: 1 } });
  let some: { serviceId: ObjectId; uid: string }[] = [];
  let marked = 0;
  for await (const { _id, createdBy } of listed) {
    if (createdBy !== null) some.push({ serviceId: _id, uid: createdBy });
    if (some.length === servicesAtOnce) {
      marked += await mark(some);
      some = [];
    }
  }
  return marked + (await mark(some));

  async function mark(listings: typeof some): Promise<number> {
    if (listings.length === 0) return 0;
    // The second is one that an instance of the version before has edited.
    const unmarked = { $or: [{ byLister: { $ne: true } }, { rating: { $gt: 0 } }] };
    const rows = await reviews
      .find({ $or: listings.map((listing) => ({ ...listing, ...unmarked })) })
      .project<{ _id: ObjectId; serviceId: ObjectId }>({ serviceId: 1 })
      .toArray();
    if (rows.length === 0) return 0;
    const serviceIds = [...new Map(rows.map(({ serviceId }) => [serviceId.toHexString(), serviceId])).values()];
    const these = { _id: { $in: rows.map(({ _id }) => _id) }, serviceId: { $in: serviceIds }, ...unmarked };
    await summary.aroundSome(serviceIds, () =>
      reviews.updateMany(these, [{ $set: { byLister: true, listerRating: '$rating', rating: 0, lowestRating: 6 } }]),
    );
    await summary.catchUp(serviceIds);
    return rows.length;
  }
}
