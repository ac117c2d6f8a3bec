import type { InsertResult, Service, ServiceDetails, ServiceInput, ServiceQuery, ServiceSort } from '@rtr/shared';
import { type Document, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections, ServiceDocument } from '../database/documents.ts';
import { createRowIdentity, findFirstResult, insertIdempotently } from '../database/idempotent-insert.ts';
import {
  cursorValue,
  findPage,
  maxExactCount,
  type Page,
  type SortOrder,
  titleCollation,
} from '../database/pagination.ts';
import { NotFoundError } from '../errors.ts';
import type { Quotas } from '../quotas/quotas.store.ts';
import { firstNumber, normalizeWords } from './search-terms.ts';

const sortOrders: Record<ServiceSort, SortOrder> = {
  newest: {
    fields: [
      ['createdAt', -1, cursorValue.date],
      ['_id', -1, cursorValue.id],
    ],
  },
  title: {
    fields: [
      ['title', 1, cursorValue.text],
      ['_id', 1, cursorValue.id],
    ],
    collation: titleCollation,
  },
  price: {
    fields: [
      ['priceNumber', 1, cursorValue.number],
      ['_id', 1, cursorValue.id],
    ],
  },
  rating: {
    fields: [
      ['averageRating', -1, cursorValue.number],
      ['_id', -1, cursorValue.id],
    ],
  },
};

const notHidden = { hiddenAt: null };

/** Excludes the field `words`, which pages and streams do not need. It is longer than the description. */
const withoutWords = { words: 0 };

/** A service or a review of a customer, as operators see it. */
export interface OwnedRow {
  id: string;
  /** The title of the service. */
  title: string;
  createdAt: Date;
  isHidden: boolean;
  /** True if the author deleted the review. Services cannot be deleted. */
  isDeleted: boolean;
}

export type ServiceStore = ReturnType<typeof createServiceStore>;

export function createServiceStore(
  { services }: Pick<Collections, 'services'>,
  /** The quotas of customers. Without them, writes are not limited. */
  quotas?: Pick<Quotas, 'addService'>,
) {
  async function findVisible(id: string, projection: Document): Promise<ServiceDocument> {
    const document = await services.findOne({ _id: new ObjectId(id), ...notHidden }, { ...readTimeout, projection });
    if (!document) throw new NotFoundError('No service has this id.');
    return document;
  }

  return {
    async findPage({ q, sort = 'newest', limit, after }: ServiceQuery): Promise<Page<Service>> {
      const filter = q === undefined ? notHidden : createSearchFilter(q);
      if (!filter) return { rows: [], totalCount: 0 };
      const { rows, ...page } = await findPage(services, {
        listKey: ['services', sort, q],
        filter,
        order: sortOrders[sort],
        maxCount: maxExactCount,
        projection: withoutWords,
        limit,
        after,
      });
      return { ...page, rows: rows.map(toService) };
    },

    async *streamAll(): AsyncGenerator<Service> {
      const cursor = services
        .find(notHidden, { batchSize: 100, projection: withoutWords })
        .sort({ createdAt: -1, _id: -1 });
      for await (const document of cursor) yield toService(document);
    },

    async find(id: string): Promise<ServiceDetails> {
      const document = await findVisible(id, withoutWords);
      const [one, two, three, four, five] = document.distribution;
      return { ...toService(document), distribution: { 1: one, 2: two, 3: three, 4: four, 5: five } };
    },

    /** Finds the fields that a review copies from its service, and whether the customer listed the service. */
    async findForReview(id: string, uid: string) {
      const document = await findVisible(id, { title: 1, price: 1, img: 1, createdBy: 1 });
      const { _id, title, price, img, createdBy } = document;
      return { service: { _id: _id.toHexString(), title, price, img }, isByLister: createdBy === uid };
    },

    /** Reads the ids of services in ascending order, from the id `from` (inclusive) to the id `to` (exclusive). */
    async *streamIds({
      from,
      to,
    }: {
      from?: string | undefined;
      to?: string | undefined;
    } = {}): AsyncGenerator<string> {
      const cursor = services
        .find({ ...createIdFilter(from, to), ...notHidden }, { projection: { _id: 1 }, batchSize: 1000 })
        .sort({ _id: 1 });
      for await (const { _id } of cursor) yield _id.toHexString();
    },

    /**
     * Finds the id that is `count` places after the id `from`. Without `from`, the search starts at the first id. Hidden
     * services are counted too. Returns undefined if there are fewer ids.
     */
    async findIdAfter(count: number, from?: string): Promise<string | undefined> {
      const document = await services.findOne(createIdFilter(from), {
        ...readTimeout,
        projection: { _id: 1 },
        sort: { _id: 1 },
        skip: count, // MongoDB reads at most `count` index keys and no documents
      });
      return document?._id.toHexString();
    },

    async insert(
      uid: string,
      input: ServiceInput,
      idempotencyKey?: string,
      createdAt = new Date(),
    ): Promise<InsertResult> {
      const { title, ratting, img, price, description } = input;
      const row: ServiceDocument = {
        ...createRowIdentity(uid, idempotencyKey, '', [title, ratting, img, price, description]),
        ...input,
        createdAt,
        createdBy: uid,
        words: normalizeWords(`${title} ${description}`),
        priceNumber: firstNumber(price),
        reviewCount: 0,
        ratingCount: 0,
        averageRating: 0,
        distribution: [0, 0, 0, 0, 0],
        summaryVersion: 0,
        summarisedVersion: 0,
        recheckAt: null,
      };
      const firstResult = await findFirstResult(services, row, '/services');
      if (firstResult) return firstResult;
      await quotas?.addService(uid, row._id);
      return insertIdempotently(services, row, '/services');
    },

    /** Hides a service or shows it again. Nobody can see a hidden service, and only their authors can see its reviews. */
    async setHidden(id: string, isHidden: boolean): Promise<'done' | 'already' | 'missing'> {
      const _id = new ObjectId(id);
      const service = await services.findOne({ _id }, { ...readTimeout, projection: { title: 1, description: 1 } });
      if (!service) return 'missing';
      const words = isHidden ? [] : normalizeWords(`${service.title} ${service.description}`);
      const { matchedCount } = await services.updateOne(
        { _id, hiddenAt: isHidden ? null : { $ne: null } },
        { $set: { hiddenAt: isHidden ? new Date() : null, words } },
      );
      return matchedCount === 1 ? 'done' : 'already';
    },

    /** Returns all services of a customer for operators, newest first. Hidden services are included. */
    async listByOwner(uid: string): Promise<OwnedRow[]> {
      const projection = { title: 1, createdAt: 1, hiddenAt: 1 };
      const documents = await services
        .find({ createdBy: uid }, { ...readTimeout, projection })
        .sort({ _id: -1 })
        .toArray();
      return documents.map(({ _id, title, createdAt, hiddenAt }) => ({
        id: _id.toHexString(),
        title,
        createdAt,
        isHidden: hiddenAt != null,
        isDeleted: false,
      }));
    },

    async removeOwner(uid: string): Promise<void> {
      await services.updateMany({ createdBy: uid }, { $set: { createdBy: null } });
    },
  };
}

/**
 * Creates a filter for services. Each word of the search text `q` must be the start of a word of the service. Returns
 * undefined if `q` contains no word.
 */
function createSearchFilter(q: string): Document | undefined {
  const words = normalizeWords(q);
  // The words need no escaping in a regular expression, because they contain only letters and digits.
  return words.length === 0 ? undefined : { $and: words.map((word) => ({ words: { $regex: `^${word}` } })) };
}

function createIdFilter(from?: string, to?: string): Document {
  if (from === undefined && to === undefined) return {};
  return {
    _id: {
      ...(from !== undefined && { $gte: new ObjectId(from) }),
      ...(to !== undefined && { $lt: new ObjectId(to) }),
    },
  };
}

function toService(document: Omit<ServiceDocument, 'words'>): Service {
  const { _id, title, ratting, img, price, description, createdAt, reviewCount, ratingCount, averageRating } = document;
  return {
    _id: _id.toHexString(),
    title,
    ratting,
    img,
    price,
    description,
    createdAt: createdAt.toISOString(),
    reviewCount,
    ratingCount,
    averageRating: ratingCount === 0 ? null : averageRating,
  };
}
