import { randomBytes } from 'node:crypto';
import type { Lister, ListerPageQuery, Service } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import type { Customer } from '../auth/access-token.ts';
import { hasErrorCode, readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { createIdFilter, type IdRange } from '../database/id-range.ts';
import { findPage, type Page } from '../database/pagination.ts';
import { NotFoundError, notFound } from '../errors.ts';
import type { PictureUse } from '../pictures/picture-use.ts';
import { listed, listedFields, toService } from './service-documents.ts';
import { serviceOrders } from './service-orders.ts';

/**
 * The stars and the reviews on the page of a lister are those of at most this number of services. For a page of reviews,
 * MongoDB merges an index range of each service. With more than 200 services, it would sort the reviews in memory instead.
 */
const maxServices = 100;

export type ListerStore = ReturnType<typeof createListerStore>;

/** Creates the store of the public pages of listers. A lister has a page while at least one of their services is listed. */
export function createListerStore(
  { listers, services }: Pick<Collections, 'listers' | 'services'>,
  { toStored, toAddress }: Pick<PictureUse, 'toStored' | 'toAddress'>,
) {
  const listedBy = (id: string) => ({ listerId: new ObjectId(id), ...listed });

  return {
    /** Stores the name and the picture of a customer who adds a service. Returns their public id. */
    async save({ uid, name, picture }: Pick<Customer, 'uid' | 'name' | 'picture'>, listedAt: Date): Promise<ObjectId> {
      const update = {
        $setOnInsert: { listerId: new ObjectId(randomBytes(12)) },
        $set: { name, picture: toStored(picture) },
        $min: { createdAt: listedAt },
      };
      const write = () => listers.findOneAndUpdate({ _id: uid }, update, { upsert: true, returnDocument: 'after' });
      const saved = await write().catch((error: unknown) => {
        // Another request of the same customer has inserted the document at the same time.
        if (hasErrorCode(error, 'duplicateKey')) return write();
        throw error;
      });
      if (!saved) throw new Error('The upsert returned no document.');
      return saved.listerId;
    },

    /** Finds a lister, and the ids of their newest services. Throws a NotFoundError if none of their services is listed. */
    async find(id: string): Promise<{ lister: Omit<Lister, 'replyShare'>; serviceIds: ObjectId[] }> {
      const [document, newest] = await Promise.all([
        listers.findOne({ listerId: new ObjectId(id) }, readTimeout),
        services
          .find(listedBy(id), { ...readTimeout, projection: { reviewCount: 1, distribution: 1 } })
          .sort({ createdAt: -1, _id: -1 })
          .limit(maxServices)
          .toArray(),
      ]);
      if (!document || newest.length === 0) throw new NotFoundError(notFound.lister);
      const distribution = [0, 1, 2, 3, 4].map((index) => sum(newest, (service) => service.distribution[index] ?? 0));
      const ratingCount = sum(distribution, (count) => count);
      const starSum = sum([...distribution.entries()], ([index, count]) => (index + 1) * count);
      return {
        lister: {
          _id: id,
          name: document.name,
          picture: toAddress(document.picture),
          createdAt: document.createdAt.toISOString(),
          reviewCount: sum(newest, ({ reviewCount }) => reviewCount),
          ratingCount,
          averageRating: ratingCount === 0 ? null : Math.round((starSum / ratingCount) * 100) / 100,
        },
        serviceIds: newest.map(({ _id }) => _id),
      };
    },

    /** Returns a page of the listed services of a lister, newest first. */
    async findServices(id: string, { limit, after }: ListerPageQuery): Promise<Page<Service>> {
      const { rows, ...page } = await findPage(services, {
        listKey: ['services of lister', id],
        filter: listedBy(id),
        order: serviceOrders.newest,
        projection: listedFields,
        limit,
        after,
      });
      if (rows.length === 0 && after === undefined) throw new NotFoundError(notFound.lister);
      return { ...page, rows: rows.map((row) => toService(row, toAddress)) };
    },

    /** Reads the public ids in the range, in ascending order, of the listers with a listed service. */
    async *streamIds(range: IdRange = {}): AsyncGenerator<string> {
      const cursor = listers.aggregate<{ listerId: ObjectId }>(
        [
          { $match: createIdFilter('listerId', range) },
          { $sort: { listerId: 1 } },
          {
            $lookup: {
              from: services.collectionName,
              localField: 'listerId',
              foreignField: 'listerId',
              pipeline: [{ $match: listed }, { $limit: 1 }, { $project: { _id: 1 } }],
              as: 'services',
            },
          },
          { $match: { 'services.0': { $exists: true } } },
          { $project: { listerId: 1 } },
        ],
        { batchSize: 1000 },
      );
      for await (const { listerId } of cursor) yield listerId.toHexString();
    },

    /** Returns the public id that is `count` places after `from` in ascending order, or undefined if there is none. */
    async findIdAfter(count: number, from?: string): Promise<string | undefined> {
      const options = { ...readTimeout, projection: { _id: 0, listerId: 1 }, sort: { listerId: 1 } as const };
      const document = await listers.findOne(createIdFilter('listerId', { from }), { ...options, skip: count });
      return document?.listerId.toHexString();
    },

    /** Erases what is stored about a lister who has deleted their account. */
    async erase(uid: string): Promise<void> {
      await listers.deleteOne({ _id: uid });
    },
  };
}

function sum<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((total, item) => total + valueOf(item), 0);
}
