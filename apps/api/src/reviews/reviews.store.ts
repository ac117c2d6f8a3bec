import type {
  DeleteResult,
  InsertResult,
  OwnReview,
  OwnReviewsQuery,
  Review,
  ReviewEdit,
  ReviewInput,
  ServiceReviewsQuery,
  UpdateResult,
} from '@rtr/shared';
import type { Filter } from 'mongodb';
import { ObjectId } from 'mongodb';
import type { Customer } from '../auth/access-token.ts';
import type { Collections, ReviewDocument } from '../database.ts';
import { hiddenUntil, readDeadline } from '../database.ts';
import { countUpTo, findPage, inCursor, type Order, type Page } from '../http/page.ts';
import { HttpError } from '../http/problem.ts';
import { answerToRepeat, identityOf, insertOnce } from '../insert-once.ts';
import { type Quotas, unlimited } from '../quotas.ts';
import type { OwnedRow } from '../services/services.store.ts';
import type { Summaries } from './summary.ts';

/** How long a deletion can be undone, in milliseconds. */
const undoFor = 10 * 60_000;

/** How many reviews of an account one command erases: as many take a fraction of the database's deadline. */
const erasedAtOnce = 100;

/** What every read but the undo sees. */
const live = { deletedAt: null };

const newestFirst: Order['steps'] = [
  ['createdAt', -1, inCursor.date],
  ['_id', -1, inCursor.id],
];
const orders = {
  newest: { steps: newestFirst },
  highest: { steps: [['rating', -1, inCursor.number], ...newestFirst] },
  lowest: { steps: [['lowestRating', 1, inCursor.number], ...newestFirst] },
} satisfies Record<string, Order>;

/**
 * Stars as they are stored: so that no stars come last in both directions. Those of a lister are kept apart, and every
 * count, average, order and filter takes the review for one without stars: also in the version before, which may still run.
 */
const storedStars = (stars: number | null | undefined, byLister = false) =>
  byLister
    ? { rating: 0, lowestRating: 6, listerRating: stars ?? 0 }
    : { rating: stars ?? 0, lowestRating: stars ?? 6 };

/** What a review repeats of its service. */
interface ReviewedService {
  _id: string;
  title: string;
  price: string;
  img: string;
}

interface NewReview {
  author: Customer;
  service: ReviewedService;
  /** Whether the author listed the service. */
  byLister?: boolean;
  input: Pick<ReviewInput, 'review' | 'rating' | 'time' | 'date'>;
  key?: string | undefined;
  /** Now, but for seeds. */
  at?: Date;
}

export type ReviewStore = ReturnType<typeof reviewStore>;

export function reviewStore(
  { reviews }: Pick<Collections, 'reviews'>,
  summaries: Pick<Summaries, 'around' | 'aroundSome' | 'catchUp' | 'reviewCount'>,
  quotas: Pick<Quotas, 'addReview' | 'restoreReview'> = unlimited,
) {
  /** Newest first, a batch at a time. */
  async function* all(filter: Filter<ReviewDocument>): AsyncGenerator<ReviewDocument> {
    yield* reviews.find({ ...filter, ...live }, { batchSize: 100 }).sort({ createdAt: -1, _id: -1 });
  }

  /** Whether anyone but their authors may know of a service's reviews. */
  const isShown = async (serviceId: ObjectId) => (await summaries.reviewCount(serviceId)) !== undefined;

  /**
   * One's own review in a state: a write that names its service asks one shard. Says why when there is none: 403 for
   * somebody else's, else 404.
   */
  async function findOwn(
    mine: Filter<ReviewDocument>,
    gone: string,
  ): Promise<Pick<ReviewDocument, 'serviceId' | 'deletedAt' | 'byLister'>> {
    const options = { ...readDeadline, projection: { serviceId: 1, deletedAt: 1, byLister: 1 } };
    const own = await reviews.findOne(mine, options);
    if (own) return own;
    const { uid: _, ...anyones } = mine;
    const theirs = await reviews.findOne(anyones, options);
    if (theirs && (await isShown(theirs.serviceId)))
      throw new HttpError(403, 'This review is somebody else’s: only its author can change it.');
    throw new HttpError(404, gone);
  }

  return {
    async pageOfService({
      serviceId,
      rating,
      sort = 'newest',
      limit,
      after,
    }: ServiceReviewsQuery): Promise<Page<Review>> {
      const service = new ObjectId(serviceId);
      const [{ rows, ...page }, kept] = await Promise.all([
        findPage(reviews, {
          list: ['reviews of', serviceId, sort, rating],
          filter: { serviceId: service, ...live, ...(rating !== undefined && { rating }) },
          // Among reviews of equal stars the order by stars is the newest first.
          order: rating === undefined ? orders[sort] : orders.newest,
          countUpTo,
          limit,
          after,
        }),
        summaries.reviewCount(service),
      ]);
      if (kept === undefined) return { rows: [], total: 0 };
      // Too many to count for each page: but all of them together stand in the service's summary.
      const total = page.total ?? (rating === undefined ? kept : undefined);
      return { ...page, total, rows: rows.map(present) };
    },

    async *allOfService(serviceId: string): AsyncGenerator<Review> {
      const service = new ObjectId(serviceId);
      if (await isShown(service)) for await (const document of all({ serviceId: service })) yield present(document);
    },

    async pageOfCustomer(uid: string, { serviceId, limit, after }: OwnReviewsQuery): Promise<Page<OwnReview>> {
      const { rows, ...page } = await findPage(reviews, {
        list: ['own reviews', uid, serviceId],
        filter: { uid, ...live, ...(serviceId !== undefined && { serviceId: new ObjectId(serviceId) }) },
        order: orders.newest,
        limit,
        after,
      });
      return { ...page, rows: rows.map(presentToAuthor) };
    },

    async *allOfCustomer(uid: string): AsyncGenerator<OwnReview> {
      for await (const document of all({ uid })) yield presentToAuthor(document);
    },

    /** One review; with its email when `uid` is its author's, who alone may read one of a hidden service. */
    async find(id: string, uid: string | undefined): Promise<Review | OwnReview | undefined> {
      const document = await reviews.findOne({ _id: new ObjectId(id), ...live }, readDeadline);
      if (!document) return undefined;
      if (document.uid === uid) return presentToAuthor(document);
      return (await isShown(document.serviceId)) ? present(document) : undefined;
    },

    /** The author comes from their token and the facts from the stored service: never from what was sent. */
    async insert({ author, service, byLister = false, input, key, at = new Date() }: NewReview): Promise<InsertResult> {
      const { review, rating, time, date } = input;
      const serviceId = new ObjectId(service._id);
      // Not `time` and `date`: a retry a minute later says the same.
      const row: ReviewDocument = {
        ...identityOf(author.uid, key, service._id, [service._id, review, rating ?? null]),
        serviceId,
        serviceName: service.title,
        price: service.price,
        img: service.img,
        customer: author.name,
        costomerImg: author.picture,
        email: author.email,
        uid: author.uid,
        review,
        ...storedStars(rating, byLister),
        ...(byLister && { byLister }),
        time,
        date,
        createdAt: at,
        updatedAt: at,
        deletedAt: null,
      };
      const repeated = await answerToRepeat(reviews, row, '/review', { serviceId });
      if (repeated) return repeated;
      await quotas.addReview(author.uid, serviceId, row._id);
      return summaries.around(serviceId, () => insertOnce(reviews, row, '/review'));
    },

    /** `at` is now, but for seeds. */
    async edit(id: string, uid: string, { review, rating }: ReviewEdit, at = new Date()): Promise<UpdateResult> {
      const mine = { _id: new ObjectId(id), uid, ...live };
      const missing = 'There is no review with this id. It may have been deleted.';
      const { serviceId, byLister } = await findOwn(mine, missing);
      const said = {
        ...(review !== undefined && { review }),
        ...(rating !== undefined && storedStars(rating, byLister)),
      };
      const write = () => reviews.updateOne({ ...mine, serviceId }, { $set: { ...said, updatedAt: at } });
      // Words alone change no count.
      const result = await (rating === undefined ? write() : summaries.around(serviceId, write));
      return updated(result, missing);
    },

    async remove(id: string, uid: string): Promise<DeleteResult> {
      const mine = { _id: new ObjectId(id), uid, ...live };
      const { serviceId } = await findOwn(mine, 'There is no review with this id. It may have been deleted already.');
      const { acknowledged, modifiedCount } = await summaries.around(serviceId, () =>
        reviews.updateOne({ ...mine, serviceId }, { $set: { deletedAt: new Date() } }),
      );
      return { acknowledged, deletedCount: modifiedCount };
    },

    /** Undoes a deletion. One that is undone already stays so: whose first answer was lost may ask again. */
    async restore(id: string, uid: string): Promise<UpdateResult> {
      const undoable = { $or: [live, { deletedAt: { $gt: new Date(Date.now() - undoFor), $lt: hiddenUntil } }] };
      const mine = { _id: new ObjectId(id), uid, ...undoable };
      const missing = 'There is no such review to bring back: 10 minutes after it was deleted it is too late.';
      const { serviceId, deletedAt } = await findOwn(mine, missing);
      if (deletedAt !== null) await quotas.restoreReview(uid, serviceId, mine._id);
      const result = await summaries.around(serviceId, () => reviews.updateOne({ ...mine, serviceId }, { $set: live }));
      return updated(result, missing);
    },

    /**
     * Takes a review from every read, its author's too, and from its service's counts, or brings it back as it was: for
     * operators. One that its author had deleted stays deleted.
     */
    async setHidden(id: string, hidden: boolean): Promise<'done' | 'already' | 'missing'> {
      const _id = new ObjectId(id);
      const review = await reviews.findOne({ _id }, { ...readDeadline, projection: { serviceId: 1 } });
      if (!review) return 'missing';
      const { matchedCount } = await summaries.around(review.serviceId, () =>
        hidden
          ? reviews.updateOne({ _id, hidden: { $exists: false } }, [
              { $set: { hidden: { at: '$$NOW', deletedAt: '$deletedAt' }, deletedAt: hiddenUntil } },
            ])
          : reviews.updateOne({ _id, hidden: { $exists: true } }, [
              { $set: { deletedAt: '$hidden.deletedAt' } },
              { $unset: 'hidden' },
            ]),
      );
      return matchedCount === 1 ? 'done' : 'already';
    },

    /** A customer's reviews, hidden ones and those that can still be restored included, newest first: for operators. */
    async writtenBy(uid: string): Promise<OwnedRow[]> {
      const projection = { serviceName: 1, createdAt: 1, hidden: 1 };
      const rows = await reviews
        .find({ uid }, { ...readDeadline, projection })
        .sort({ _id: -1 })
        .toArray();
      return rows.map(({ _id, serviceName, createdAt, hidden }) => ({
        id: _id.toHexString(),
        title: serviceName,
        createdAt,
        isHidden: hidden !== undefined,
      }));
    },

    /** Erases every review of a customer, the deleted ones too, when their account goes. May be repeated. */
    async deleteAllOf(uid: string): Promise<void> {
      const reviewed = new Map<string, ObjectId>();
      const options = { ...readDeadline, projection: { serviceId: 1 }, limit: erasedAtOnce };
      for (;;) {
        const some = await reviews.find({ uid }, options).toArray();
        if (some.length === 0) break;
        const services = new Map(some.map(({ serviceId }) => [serviceId.toHexString(), serviceId]));
        const serviceIds = [...services.values()];
        const erased = { _id: { $in: some.map(({ _id }) => _id) }, uid, serviceId: { $in: serviceIds } };
        await summaries.aroundSome(serviceIds, () => reviews.deleteMany(erased));
        for (const [id, serviceId] of services) reviewed.set(id, serviceId);
      }
      // The reviews are gone whatever happens to the summaries: the sweep will find those.
      await summaries.catchUp([...reviewed.values()]).catch(() => undefined);
    },
  };
}

/** The answer to an update; 404 when it matched no row, since another request changed the row after it was found. */
function updated({ acknowledged, matchedCount, modifiedCount }: UpdateResult, missing: string): UpdateResult {
  if (matchedCount === 0) throw new HttpError(404, missing);
  return { acknowledged, matchedCount, modifiedCount };
}

/** A stored review as anyone may read it. */
function present(document: ReviewDocument): Review {
  const { _id, serviceId, serviceName, price, img, customer, review, byLister, time, date } = document;
  const rating = (byLister ? document.listerRating : document.rating) ?? 0;
  return {
    _id: _id.toHexString(),
    serviceId: serviceId.toHexString(),
    serviceName,
    price,
    img,
    customer,
    costomerImg: document.costomerImg,
    review,
    ...(rating > 0 && { rating }),
    ...(byLister && { byLister }),
    time,
    date,
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.updatedAt.toISOString(),
  };
}

/** A stored review as its author reads it. */
function presentToAuthor(document: ReviewDocument): OwnReview {
  return { ...present(document), email: document.email };
}
