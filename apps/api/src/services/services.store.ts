import type { InsertResult, Service, ServiceDetails, ServiceInput, ServiceQuery, ServiceSort } from '@rtr/shared';
import type { Document } from 'mongodb';
import { ObjectId } from 'mongodb';
import type { Collections, ServiceDocument } from '../database.ts';
import { readDeadline, titleCollation } from '../database.ts';
import { countUpTo, findPage, inCursor, type Order, type Page } from '../http/page.ts';
import { answerToRepeat, identityOf, insertOnce } from '../insert-once.ts';
import { type Quotas, unlimited } from '../quotas.ts';
import { firstNumber, foldedWords } from './search.ts';

const orders: Record<ServiceSort, Order> = {
  newest: {
    steps: [
      ['createdAt', -1, inCursor.date],
      ['_id', -1, inCursor.id],
    ],
  },
  title: {
    steps: [
      ['title', 1, inCursor.text],
      ['_id', 1, inCursor.id],
    ],
    collation: titleCollation,
  },
  price: {
    steps: [
      ['priceNumber', 1, inCursor.number],
      ['_id', 1, inCursor.id],
    ],
  },
  rating: {
    steps: [
      ['averageRating', -1, inCursor.number],
      ['_id', -1, inCursor.id],
    ],
  },
};

/** What every read sees. */
const shown = { hiddenAt: null };

/** What pages and streams need not carry: the words are longer than the description itself. */
const withoutWords = { words: 0 };

export type ServiceStore = ReturnType<typeof serviceStore>;

export function serviceStore(
  { services }: Pick<Collections, 'services'>,
  quotas: Pick<Quotas, 'addService'> = unlimited,
) {
  return {
    async page({ q, sort = 'newest', limit, after }: ServiceQuery): Promise<Page<Service>> {
      const filter = q === undefined ? shown : matching(q);
      if (!filter) return { rows: [], total: 0 };
      const { rows, ...page } = await findPage(services, {
        list: ['services', sort, q],
        filter,
        order: orders[sort],
        countUpTo,
        projection: withoutWords,
        limit,
        after,
      });
      return { ...page, rows: rows.map(present) };
    },

    /** Every service, newest first, a batch at a time. */
    async *all(): AsyncGenerator<Service> {
      const cursor = services
        .find(shown, { batchSize: 100, projection: withoutWords })
        .sort({ createdAt: -1, _id: -1 });
      for await (const document of cursor) yield present(document);
    },

    async find(id: string): Promise<ServiceDetails | undefined> {
      const document = await services.findOne(
        { _id: new ObjectId(id), ...shown },
        { ...readDeadline, projection: withoutWords },
      );
      if (!document) return undefined;
      const [one, two, three, four, five] = document.distribution;
      return { ...present(document), distribution: { 1: one, 2: two, 3: three, 4: four, 5: five } };
    },

    /** What a review repeats of its service, and whether this customer listed it. */
    async findForReview(id: string, uid: string) {
      const document = await services.findOne(
        { _id: new ObjectId(id), ...shown },
        { ...readDeadline, projection: { title: 1, price: 1, img: 1, createdBy: 1 } },
      );
      if (!document) return undefined;
      const { _id, title, price, img, createdBy } = document;
      return { service: { _id: _id.toHexString(), title, price, img }, byLister: createdBy === uid };
    },

    /** The ids of all services in their own order, from one on and before another, a batch at a time. */
    async *ids({ from, to }: { from?: string | undefined; to?: string | undefined } = {}): AsyncGenerator<string> {
      const cursor = services
        .find({ ...between(from, to), ...shown }, { projection: { _id: 1 }, batchSize: 1000 })
        .sort({ _id: 1 });
      for await (const { _id } of cursor) yield _id.toHexString();
    },

    /** The id that comes `count` places after another, or after the first, hidden ones too; undefined beyond the last. */
    async idAfter(count: number, from?: string): Promise<string | undefined> {
      const found = await services.findOne(between(from), {
        ...readDeadline,
        projection: { _id: 1 },
        sort: { _id: 1 },
        skip: count, // over keys of the index alone, and never over more of them
      });
      return found?._id.toHexString();
    },

    /** Adds a service. `at` is now, but for seeds. */
    async insert(uid: string, input: ServiceInput, key?: string, at = new Date()): Promise<InsertResult> {
      const { title, price, description } = input;
      const row: ServiceDocument = {
        ...identityOf(uid, key, '', [title, input.ratting, input.img, price, description]),
        title,
        ratting: input.ratting,
        img: input.img,
        price,
        description,
        createdAt: at,
        createdBy: uid,
        words: foldedWords(`${title} ${description}`),
        priceNumber: firstNumber(price),
        reviewCount: 0,
        ratingCount: 0,
        averageRating: 0,
        distribution: [0, 0, 0, 0, 0],
        summaryVersion: 0,
        summarisedVersion: 0,
        recheckAt: null,
      };
      const repeated = await answerToRepeat(services, row, '/services');
      if (repeated) return repeated;
      await quotas.addService(uid, row._id);
      return insertOnce(services, row, '/services');
    },

    /** Takes a service from every read, or brings it back: for operators. Its reviews go unseen with it, but for their authors. */
    async setHidden(id: string, hidden: boolean): Promise<'done' | 'already' | 'missing'> {
      const _id = new ObjectId(id);
      const service = await services.findOne({ _id }, { ...readDeadline, projection: { title: 1, description: 1 } });
      if (!service) return 'missing';
      const words = hidden ? [] : foldedWords(`${service.title} ${service.description}`);
      const { matchedCount } = await services.updateOne(
        { _id, hiddenAt: hidden ? null : { $ne: null } },
        { $set: { hiddenAt: hidden ? new Date() : null, words } },
      );
      return matchedCount === 1 ? 'done' : 'already';
    },

    /** A customer's services, hidden ones included, newest first: for operators. */
    async listedBy(uid: string): Promise<OwnedRow[]> {
      const projection = { title: 1, createdAt: 1, hiddenAt: 1 };
      const rows = await services
        .find({ createdBy: uid }, { ...readDeadline, projection })
        .sort({ _id: -1 })
        .toArray();
      return rows.map(({ _id, title, createdAt, hiddenAt }) => ({
        id: _id.toHexString(),
        title,
        createdAt,
        isHidden: hiddenAt != null,
      }));
    },

    /** Leaves a customer's services without owner, when their account goes. */
    async disown(uid: string): Promise<void> {
      await services.updateMany({ createdBy: uid }, { $set: { createdBy: null } });
    },
  };
}

/** A row of a customer, as an operator sees it. */
export interface OwnedRow {
  id: string;
  /** Of the service. */
  title: string;
  createdAt: Date;
  isHidden: boolean;
}

/** Services of which every word of `q` begins some word, hidden ones have none; undefined when `q` has no word. */
function matching(q: string): Document | undefined {
  const words = foldedWords(q);
  // A folded word is letters and digits only: nothing in it means anything to a regular expression.
  return words.length === 0 ? undefined : { $and: words.map((word) => ({ words: { $regex: `^${word}` } })) };
}

function between(from?: string, to?: string): Document {
  if (from === undefined && to === undefined) return {};
  return {
    _id: {
      ...(from !== undefined && { $gte: new ObjectId(from) }),
      ...(to !== undefined && { $lt: new ObjectId(to) }),
    },
  };
}

/** A stored service in the wire's shape. */
function present(document: Omit<ServiceDocument, 'words'>): Service {
  const { _id, title, img, price, description, createdAt, reviewCount, ratingCount, averageRating } = document;
  return {
    _id: _id.toHexString(),
    title,
    ratting: document.ratting,
    img,
    price,
    description,
    createdAt: createdAt.toISOString(),
    reviewCount,
    ratingCount,
    averageRating: ratingCount === 0 ? null : averageRating,
  };
}
