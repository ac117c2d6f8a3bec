import {
  type AreaCount,
  limits,
  type OwnServicesQuery,
  type Service,
  type ServiceDetails,
  type ServiceQuery,
} from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { countUpTo } from '../database/count.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { createIdFilter, type IdRange } from '../database/id-range.ts';
import { findPage, type Page } from '../database/pagination.ts';
import { NotFoundError, notFound } from '../errors.ts';
import type { PictureUse } from '../pictures/picture-use.ts';
import type { Quotas } from '../quotas.ts';
import { createReadCache } from '../read-cache.ts';
import type { ListerStore } from './listers.store.ts';
import { createServiceSearch, type SearchPage } from './search.store.ts';
import {
  type ListerService,
  listed,
  listedFields,
  toOwnService,
  toService,
  withoutPrivateFields,
  withoutWords,
} from './service-documents.ts';
import { serviceOrders } from './service-orders.ts';
import { createServiceWrites } from './service-writes.ts';
import { createVocabularyStore } from './vocabulary.store.ts';

/**
 * How long the number of listed services is cached. Each page of the list of services needs this number, and counting
 * reads up to 10,000 index keys.
 */
const countTtlMs = 5000;

/** The areas are read from the newest services, and cached, so that a large catalogue costs no more. */
const [maxServicesForAreas, areasTtlMs] = [10_000, 60_000];

export type ServiceStore = ReturnType<typeof createServiceStore>;

export function createServiceStore(
  collections: Pick<Collections, 'services' | 'vocabulary'>,
  {
    listers,
    pictures,
    quotas,
  }: { listers: Pick<ListerStore, 'save' | 'erase'>; pictures: PictureUse; quotas: Pick<Quotas, 'countDaily'> },
) {
  const { services } = collections;
  const vocabulary = createVocabularyStore(collections);
  const search = createServiceSearch({ services }, vocabulary);
  const areas = createReadCache<AreaCount[]>({ ttlMs: areasTtlMs });
  const listedCount = createReadCache<{ count: number | undefined }>({ ttlMs: countTtlMs });

  /** Returns the number of listed services, or undefined if there are too many to count. Both results are cached. */
  async function countListed(): Promise<number | undefined> {
    const load = async () => ({ count: await countUpTo(services, listed) });
    const { count } = listedCount.get('') ?? (await listedCount.load('', load));
    return count;
  }

  async function readAreas(): Promise<AreaCount[]> {
    return services
      .aggregate<AreaCount>(
        [
          { $match: listed },
          { $sort: { createdAt: -1, _id: -1 } },
          { $limit: maxServicesForAreas },
          { $match: { area: /\S/ } },
          { $project: { area: { $trim: { input: '$area' } } } },
          { $group: { _id: { $toLower: '$area' }, area: { $first: '$area' }, count: { $sum: 1 } } },
          { $sort: { count: -1, _id: 1 } },
          { $limit: limits.areas },
          { $project: { _id: 0 } },
        ],
        readTimeout,
      )
      .toArray();
  }

  const toPublic = (document: ServiceDocument) => toService(document, pictures.toAddress);

  return {
    ...createServiceWrites(collections, vocabulary, listers, pictures, quotas),

    async findPage(query: ServiceQuery): Promise<Page<Service> & Omit<SearchPage, 'rows'>> {
      const { sort = 'newest', limit, after, ...searched } = query;
      const { rows, ...page } =
        Object.keys(searched).length === 0
          ? await findPage(services, {
              listKey: ['services', sort],
              filter: listed,
              order: serviceOrders[sort === 'relevance' ? 'newest' : sort],
              count: countListed,
              projection: listedFields,
              limit,
              after,
            })
          : await search.findPage(query);
      return { ...page, rows: rows.map(toPublic) };
    },

    /** Returns the most used areas of the newest services, with their counts. */
    async findAreas(): Promise<AreaCount[]> {
      return areas.get('') ?? areas.load('', readAreas);
    },

    /** Clears the caches of the number of services and of the areas. */
    clearCounts() {
      listedCount.clear();
      areas.clear();
    },

    suggest: search.suggest,

    async *streamAll(): AsyncGenerator<Service> {
      const cursor = services
        .find(listed, { batchSize: 100, projection: listedFields })
        .sort({ createdAt: -1, _id: -1 });
      for await (const document of cursor) yield toPublic(document);
    },

    async find(id: string): Promise<ServiceDetails> {
      const options = { ...readTimeout, projection: withoutPrivateFields };
      const document = await services.findOne({ _id: new ObjectId(id), ...listed }, options);
      if (!document) throw new NotFoundError(notFound.service);
      const [one, two, three, four, five] = document.distribution;
      return { ...toPublic(document), distribution: { 1: one, 2: two, 3: three, 4: four, 5: five } };
    },

    /**
     * Returns whether the customer listed the service, or undefined if the service does not exist, is hidden or is
     * withdrawn.
     */
    async isLister(_id: ObjectId, uid: string): Promise<boolean | undefined> {
      const document = await services.findOne({ _id, ...listed }, { ...readTimeout, projection: { createdBy: 1 } });
      return document ? document.createdBy === uid : undefined;
    },

    /** Reads the ids of listed services in the range, in ascending order. */
    async *streamIds(range: IdRange = {}): AsyncGenerator<string> {
      const cursor = services
        .find({ ...createIdFilter('_id', range), ...listed }, { projection: { _id: 1 }, batchSize: 1000 })
        .sort({ _id: 1 });
      for await (const { _id } of cursor) yield _id.toHexString();
    },

    /**
     * Returns the id of the service that is `count` places after the service `from`, in ascending order of ids. If `from` is
     * undefined, counts from the first service. Hidden and withdrawn services count too. Returns undefined if there are not
     * enough services.
     */
    async findIdAfter(count: number, from?: string): Promise<string | undefined> {
      const document = await services.findOne(createIdFilter('_id', { from }), {
        ...readTimeout,
        projection: { _id: 1 },
        sort: { _id: 1 },
        skip: count, // This skip is fast, because MongoDB reads only index keys for it and no documents.
      });
      return document?._id.toHexString();
    },

    /** Returns a page of the listed or of the withdrawn services of a customer, newest first. */
    async findPageByLister(
      uid: string,
      { serviceId, withdrawn, limit, after }: OwnServicesQuery,
    ): Promise<Page<ListerService>> {
      const { rows, ...page } = await findPage(services, {
        listKey: ['own services', uid, serviceId, withdrawn],
        filter: {
          createdBy: uid,
          withdrawnAt: withdrawn ? { $ne: null } : null,
          ...(serviceId !== undefined && { _id: new ObjectId(serviceId) }),
        },
        order: serviceOrders.newest,
        projection: withoutWords,
        limit,
        after,
      });
      return { ...page, rows: rows.map((row) => toOwnService(row, pictures.toAddress)) };
    },
  };
}
