import type { Collection, Filter, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { ReviewDocument } from '../database/documents/reviews.ts';
import type { ServiceDocument } from '../database/documents/services.ts';

/**
 * The options for counting reviews. The hint names the index to use. Without it, MongoDB first tries other indexes on
 * thousands of documents.
 */
const readWithSummaryIndex = { ...readTimeout, hint: 'summary' };

interface ReviewCounts {
  reviewCount: number;
  /**
   * The numbers of authors who gave 1, 2, 3, 4 and 5 stars. If an author has several reviews with stars, only the newest
   * counts.
   */
  distribution: ServiceDocument['distribution'];
}

const zeroCounts = (): ReviewCounts => ({ reviewCount: 0, distribution: [0, 0, 0, 0, 0] });

/** Creates the summary of a service from its counts. A service without reviews has no counts. */
export function createSummary({ reviewCount, distribution }: ReviewCounts = zeroCounts()) {
  const ratingCount = distribution.reduce((sum, count) => sum + count, 0);
  const starSum = distribution.reduce((sum, count, index) => sum + count * (index + 1), 0);
  const averageRating = ratingCount === 0 ? 0 : Math.round((starSum / ratingCount) * 100) / 100;
  return { reviewCount, ratingCount, averageRating, fullStars: Math.floor(averageRating), distribution };
}

/**
 * Matches reviews that are not deleted. The filter `{ deletedAt: null }` also matches a missing field, so MongoDB would read
 * every document. This expression needs only the index.
 */
const isNotDeleted = { $eq: ['$deletedAt', null] };
const isRated = { $gt: ['$rating', 0] };

/**
 * Counts the reviews of each service that are not deleted. Also counts the authors by the number of stars that they gave
 * the service. If an author has several reviews with stars, only the newest of them counts.
 *
 * Reads only keys of the index `summary`. Each command reads about `reviewsPerRead` reviews, so that it ends long before its
 * timeout. If all services together have fewer reviews, a single command reads all of them.
 */
export async function countReviews(
  reviews: Collection<ReviewDocument>,
  serviceIds: readonly ObjectId[],
  reviewsPerRead: number,
): Promise<Map<string, ReviewCounts>> {
  const all = await countByStars(reviews, { serviceId: { $in: [...serviceIds] } }, reviewsPerRead);
  const readCount = all.reduce((sum, group) => sum + group.readCount, 0);
  const groups = readCount < reviewsPerRead ? all : await countInParts(reviews, serviceIds, reviewsPerRead);
  const countsByService = new Map<string, ReviewCounts>();
  for (const { service, stars, reviewCount, authorCount } of groups) {
    const counts = countsByService.get(service.toHexString()) ?? zeroCounts();
    counts.reviewCount += reviewCount;
    if (stars > 0) counts.distribution[stars - 1] = (counts.distribution[stars - 1] ?? 0) + authorCount;
    countsByService.set(service.toHexString(), counts);
  }
  return countsByService;
}

/**
 * Counts the reviews with several commands. Each command reads all reviews of one or more services, about
 * `reviewsPerRead` reviews in total. If a single service has more reviews than that, its reviews are read with several
 * commands, each for a different group of authors.
 */
async function countInParts(
  reviews: Collection<ReviewDocument>,
  serviceIds: readonly ObjectId[],
  reviewsPerRead: number,
): Promise<StarGroup[]> {
  const groups: StarGroup[] = [];
  const add = async (filter: Filter<ReviewDocument>) => {
    groups.push(...(await countByStars(reviews, filter)));
  };
  let remaining = serviceIds.toSorted((a, b) => (a.toHexString() < b.toHexString() ? -1 : 1));
  for (let afterUid = ''; remaining[0]; ) {
    const [first] = remaining;
    const filter = afterUid === '' ? { serviceId: { $in: remaining } } : { serviceId: first, uid: { $gt: afterUid } };
    const lastThatFits: Pick<ReviewDocument, 'serviceId' | 'uid'> | null = await reviews.findOne(filter, {
      ...readWithSummaryIndex,
      projection: { _id: 0, serviceId: 1, uid: 1 },
      sort: { serviceId: 1, uid: 1 },
      skip: reviewsPerRead,
    });
    if (lastThatFits && first.equals(lastThatFits.serviceId)) {
      await add({ serviceId: first, uid: { $gt: afterUid, $lte: lastThatFits.uid } });
      afterUid = lastThatFits.uid;
    } else if (lastThatFits) {
      const end = remaining.findIndex((id) => id.equals(lastThatFits.serviceId));
      await add({ serviceId: { $in: remaining.slice(0, end) } });
      remaining = remaining.slice(end);
    } else {
      await add(filter);
      [remaining, afterUid] = [afterUid === '' ? [] : remaining.slice(1), ''];
    }
  }
  return groups;
}

/**
 * The authors whose ratings of a service are equal. If an author has several reviews with stars, only the newest of them
 * counts.
 */
interface StarGroup {
  service: ObjectId;
  /** 0 for the authors whose reviews have no stars. */
  stars: number;
  /** The number of reviews of the service by these authors, without deleted reviews. */
  reviewCount: number;
  authorCount: number;
  /** The number of reviews of the service by these authors that were read, including deleted reviews. */
  readCount: number;
}

/**
 * Groups the authors of the reviews of each service by their ratings. If `maxReadCount` is given, reads at most this many
 * reviews.
 */
function countByStars(reviews: Collection<ReviewDocument>, filter: Filter<ReviewDocument>, maxReadCount?: number) {
  return reviews
    .aggregate<StarGroup>(
      [
        { $match: filter },
        ...(maxReadCount === undefined ? [] : [{ $limit: maxReadCount }]),
        {
          $group: {
            _id: { service: '$serviceId', uid: '$uid' },
            reviewCount: { $sum: { $cond: [isNotDeleted, 1, 0] } },
            readCount: { $sum: 1 },
            // `$cond` returns null for deleted reviews and for reviews without stars. In MongoDB, null is less than all
            // objects, and objects are compared by their first field, here the date. So the maximum is the newest review
            // with stars.
            newest: {
              $max: {
                $cond: [{ $and: [isNotDeleted, isRated] }, { at: '$createdAt', id: '$_id', rating: '$rating' }, null],
              },
            },
          },
        },
        {
          $group: {
            _id: { service: '$_id.service', stars: { $ifNull: ['$newest.rating', 0] } },
            reviewCount: { $sum: '$reviewCount' },
            readCount: { $sum: '$readCount' },
            authorCount: { $sum: 1 },
          },
        },
        { $set: { service: '$_id.service', stars: '$_id.stars' } },
      ],
      readWithSummaryIndex,
    )
    .toArray();
}
