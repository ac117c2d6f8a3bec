import {
  type DeleteResult,
  type InsertResult,
  limits,
  type ModerationCase,
  type OwnService,
  type OwnServicesQuery,
  type ReportedPart,
  type Service,
  type ServiceDetails,
  type ServiceEdit,
  type ServiceInput,
  type ServiceQuery,
  type UpdateResult,
} from '@rtr/shared';
import { type Document, type Filter, ObjectId } from 'mongodb';
import type { Customer } from '../auth/access-token.ts';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { Hidden } from '../database/documents/hidden.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { createRowIdentity, findFirstResult, insertIdempotently } from '../database/idempotent-insert.ts';
import { countUpTo, findPage, type Page } from '../database/pagination.ts';
import { ForbiddenError, NotFoundError, OutdatedVersionError, UnavailableError } from '../errors.ts';
import { findHidden, visiblePictureOf } from '../pictures/find-hidden.ts';
import { noUploads, type PictureUse } from '../pictures/picture-use.ts';
import type { Quotas } from '../quotas/quotas.store.ts';
import { createReadCache } from '../read-cache.ts';
import { createServiceSearch, withoutWords } from './search.store.ts';
import { firstNumber, searchFieldsOf } from './search-terms.ts';
import { serviceOrders } from './service-orders.ts';
import { createVocabularyStore } from './vocabulary.store.ts';

const noContact = { listerName: '', phone: '', website: '' };
const restoreWindowMs = limits.restoreMinutes * 60_000;
/**
 * The maximum number of attempts to edit a service. An attempt fails if another request edits the service at the same time.
 */
const maxEditAttempts = 5;

/** How long the number of listed services is cached. Every page contains this number, and counting reads all index keys. */
const countTtlMs = 5000;

/** A filter for services that are neither hidden nor withdrawn. */
const notHidden = { hiddenAt: null };
/** A filter for services that an operator has hidden, whether or not their lister has withdrawn them. */
const hiddenByOperator = { hiddenAt: { $ne: null }, $expr: { $ne: ['$hiddenAt', '$withdrawnAt'] } };

const serviceNotFound = 'No service has this id.';
const serviceGone = 'No service has this id. It may have been withdrawn.';
const restoreTooLate = `No such service can be restored. A service can be restored for ${limits.restoreMinutes} minutes after its withdrawal.`;

/** Searches must not find hidden services, so hidden services have no search words. */
const noWords = searchFieldsOf({ title: '', description: '' });

/** A service for its lister, without the number of reviews that have no reply. */
type ListerService = Omit<OwnService, 'unansweredCount'>;

/** A service or a review of a customer, for operators. */
export interface OwnedRow {
  id: string;
  /** The title of the service. */
  title: string;
  createdAt: Date;
  isHidden: boolean;
  /** True if the author deleted the review, or the lister withdrew the service. */
  isDeleted: boolean;
}

export type ServiceStore = ReturnType<typeof createServiceStore>;

export function createServiceStore(
  collections: Pick<Collections, 'services' | 'vocabulary'>,
  /** The quotas of customers. Without quotas, the number of writes is not limited. */
  quotas?: Pick<Quotas, 'addService' | 'editService'>,
  pictures: PictureUse = noUploads,
) {
  const { services } = collections;
  const vocabulary = createVocabularyStore(collections);
  const search = createServiceSearch({ services }, vocabulary);
  const listedCount = createReadCache<{ count: number | undefined }>({ ttlMs: countTtlMs });

  /** Returns undefined if there are too many services to count. This result is cached too. */
  async function countListed(): Promise<number | undefined> {
    const load = async () => ({ count: await countUpTo(services, notHidden) });
    const { count } = listedCount.get('') ?? (await listedCount.load('', load));
    return count;
  }

  async function findVisible(id: string, projection: Document): Promise<ServiceDocument> {
    const document = await services.findOne({ _id: new ObjectId(id), ...notHidden }, { ...readTimeout, projection });
    if (!document) throw new NotFoundError(serviceNotFound);
    return document;
  }

  /**
   * Finds a service that the customer may change. Throws a ForbiddenError if the service belongs to another customer, and a
   * NotFoundError if there is no such service. If an operator has hidden a service of another customer, also throws a
   * NotFoundError, because the error must not reveal that the service exists.
   */
  async function findOwn(ownFilter: Filter<ServiceDocument>, notFoundMessage: string): Promise<ServiceDocument> {
    const own = await services.findOne(ownFilter, { ...readTimeout, projection: withoutWords });
    if (own) return own;
    const { createdBy: _, ...filterForAnyLister } = ownFilter;
    const other = await services.findOne(filterForAnyLister, { ...readTimeout, projection: withoutWords });
    if (other && !isHiddenByOperator(other))
      throw new ForbiddenError('This service belongs to someone else. Only its lister can change it.');
    throw new NotFoundError(notFoundMessage);
  }

  function toOwnService(document: Omit<ServiceDocument, 'words' | 'titleWords'>): ListerService {
    const { img, hiddenAt, hiddenReason: reason = '', hiddenPictures } = document;
    const hiddenPicture = findHidden(hiddenPictures, img);
    return {
      ...toService(document),
      img: pictures.toAddress(img),
      ...(hiddenAt && isHiddenByOperator(document) && { hidden: { at: hiddenAt.toISOString(), reason } }),
      ...(hiddenPicture && { hiddenPicture: { at: hiddenPicture.at.toISOString(), reason: hiddenPicture.reason } }),
    };
  }

  function toService(document: Omit<ServiceDocument, 'words' | 'titleWords'>): Service {
    const { _id, title, ratting, price, description, createdAt, reviewCount, ratingCount, averageRating } = document;
    const { phone = '', website = '', area = '', listerName = '', updatedAt = createdAt } = document;
    return {
      _id: _id.toHexString(),
      title,
      ratting,
      img: pictures.toAddress(visiblePictureOf(document)),
      price,
      description,
      phone,
      website,
      area,
      listerName,
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
      reviewCount,
      ratingCount,
      averageRating: ratingCount === 0 ? null : averageRating,
    };
  }

  async function listForOperators(filter: Filter<ServiceDocument>, limit = 0): Promise<OwnedRow[]> {
    const projection = { title: 1, createdAt: 1, hiddenAt: 1, withdrawnAt: 1 };
    const documents = await services
      .find(filter, { ...readTimeout, projection })
      .sort({ _id: -1 })
      .limit(limit)
      .toArray();
    return documents.map((document) => ({
      id: document._id.toHexString(),
      title: document.title,
      createdAt: document.createdAt,
      isHidden: isHiddenByOperator(document),
      isDeleted: document.withdrawnAt != null,
    }));
  }

  return {
    async findPage(query: ServiceQuery): Promise<Page<Service> & { searchedFor?: string }> {
      const { q, sort = 'newest', limit, after } = query;
      const { rows, ...page } =
        q === undefined
          ? await findPage(services, {
              listKey: ['services', sort],
              filter: notHidden,
              order: serviceOrders[sort === 'relevance' ? 'newest' : sort],
              count: countListed,
              projection: withoutWords,
              limit,
              after,
            })
          : await search.findPage({ ...query, q });
      return { ...page, rows: rows.map(toService) };
    },

    /** Forgets the number of services, so that the next page counts them again. */
    clearCount: listedCount.clear,

    suggest: search.suggest,

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

    /** Returns whether the customer listed the service, or undefined if the service does not exist or is hidden. */
    async isLister(_id: ObjectId, uid: string): Promise<boolean | undefined> {
      const document = await services.findOne({ _id, ...notHidden }, { ...readTimeout, projection: { createdBy: 1 } });
      return document ? document.createdBy === uid : undefined;
    },

    /** Finds a service, or its picture, for a report. Everyone can see it. `owner` is the uid of the lister. */
    async findForReport(id: string, part: ReportedPart) {
      const document = await findVisible(id, { title: 1, img: 1, hiddenPictures: 1, createdBy: 1 });
      if (part === 'picture' && visiblePictureOf(document) === '')
        throw new NotFoundError('This service has no picture.');
      return { owner: document.createdBy, title: document.title };
    },

    /** True if the service exists, even hidden or withdrawn, and has this part, such as a picture. */
    async hasPart(id: string, part: ReportedPart): Promise<boolean> {
      const service = await services.findOne({ _id: new ObjectId(id) }, { ...readTimeout, projection: { img: 1 } });
      return service !== null && (part === 'picture' ? service.img !== '' : part === 'service');
    },

    /** Finds services by their ids, with their hidden parts. Withdrawn services have no content. */
    async findForModeration(ids: readonly string[]): Promise<Map<string, Pick<ModerationCase, 'service' | 'hidden'>>> {
      const _id = { $in: ids.map((id) => new ObjectId(id)) };
      const documents = await services.find({ _id }, { ...readTimeout, projection: withoutWords }).toArray();
      return new Map(
        documents.map((document) => {
          const { hidden, hiddenPicture, ...service } = toOwnService(document);
          return [
            service._id,
            {
              ...(document.withdrawnAt == null && { service }),
              hidden: { ...(hidden && { service: hidden }), ...(hiddenPicture && { picture: hiddenPicture }) },
            },
          ];
        }),
      );
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
     * Returns the id that is `count` places after the id `from`, or after the first id if `from` is undefined. Hidden
     * services are counted too. Returns undefined if there are fewer ids.
     */
    async findIdAfter(count: number, from?: string): Promise<string | undefined> {
      const document = await services.findOne(createIdFilter(from), {
        ...readTimeout,
        projection: { _id: 1 },
        sort: { _id: 1 },
        skip: count, // MongoDB reads at most `count` index keys and no documents.
      });
      return document?._id.toHexString();
    },

    /** Returns the services of a customer, newest first, without the withdrawn ones. */
    async findPageByLister(uid: string, { serviceId, limit, after }: OwnServicesQuery): Promise<Page<ListerService>> {
      const { rows, ...page } = await findPage(services, {
        listKey: ['own services', uid, serviceId],
        filter: { createdBy: uid, withdrawnAt: null, ...(serviceId !== undefined && { _id: new ObjectId(serviceId) }) },
        order: serviceOrders.newest,
        projection: withoutWords,
        limit,
        after,
      });
      return { ...page, rows: rows.map(toOwnService) };
    },

    async insert(
      lister: Pick<Customer, 'uid' | 'name'>,
      input: ServiceInput,
      idempotencyKey?: string,
      createdAt = new Date(),
    ): Promise<InsertResult> {
      const { title, ratting, img, price, description, phone, website, area } = input;
      const contact = [phone, website, area];
      // Without contact fields, the result is the same as in earlier versions of the API.
      const content = [title, ratting, img, price, description, ...(contact.join('') === '' ? [] : contact)];
      const row: ServiceDocument = {
        ...createRowIdentity(lister.uid, idempotencyKey, '', content),
        ...input,
        listerName: lister.name,
        createdAt,
        createdBy: lister.uid,
        ...searchFieldsOf(input),
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
      row.img = await pictures.use(img, 'body.img');
      await quotas?.addService(lister.uid, row._id);
      await vocabulary.add(row.words);
      return insertIdempotently(services, row, '/services');
    },

    /**
     * Edits a service. If `versions` is given and does not contain the time of the last edit (in milliseconds since 1970),
     * throws an OutdatedVersionError.
     */
    async edit(id: string, uid: string, edit: ServiceEdit, versions?: readonly number[]): Promise<UpdateResult> {
      const ownFilter = { _id: new ObjectId(id), createdBy: uid, ...notHidden };
      const storedEdit = edit.img === undefined ? edit : { ...edit, img: await pictures.use(edit.img, 'body.img') };
      for (let attempt = 0; attempt < maxEditAttempts; attempt += 1) {
        const current = await findOwn(ownFilter, serviceGone);
        const fields = applyEdit(current, storedEdit);
        const lastEdit = (current.updatedAt ?? current.createdAt).getTime();
        if (versions && !versions.includes(lastEdit))
          throw new OutdatedVersionError(
            'This service was edited in the meantime. Compare your edit with the current version, and send it again.',
            toOwnService(current),
          );
        const changes = {
          ...fields,
          ...searchFieldsOf(fields),
          priceNumber: firstNumber(fields.price),
          updatedAt: new Date(Math.max(Date.now(), lastEdit + 1)),
        };
        if (fields.title !== current.title || fields.description !== current.description) {
          await quotas?.editService(uid);
          await vocabulary.add(changes.words);
        }
        const { acknowledged, matchedCount, modifiedCount } = await services.updateOne(
          { ...ownFilter, updatedAt: current.updatedAt ?? { $exists: false } },
          { $set: changes },
        );
        if (matchedCount === 1) return { acknowledged, matchedCount, modifiedCount };
      }
      throw new UnavailableError('Other edits of this service were saved at the same time. Send your edit again.', 1);
    },

    /** Withdraws a service. Nobody can read the service after that, and only their authors can read its reviews. */
    async withdraw(id: string, uid: string): Promise<DeleteResult> {
      const ownFilter = { _id: new ObjectId(id), createdBy: uid, withdrawnAt: null };
      await findOwn(ownFilter, serviceGone);
      const now = new Date();
      const { acknowledged, modifiedCount } = await services.updateOne(ownFilter, [
        { $set: { withdrawnAt: now, hiddenAt: { $ifNull: ['$hiddenAt', now] }, ...noWords } },
      ]);
      return { acknowledged, deletedCount: modifiedCount };
    },

    /** Restores a withdrawn service. Idempotent, so a client can repeat the request if the response was lost. */
    async restore(id: string, uid: string): Promise<UpdateResult> {
      const withdrawnRecently = { withdrawnAt: { $gt: new Date(Date.now() - restoreWindowMs) } };
      const ownFilter = { _id: new ObjectId(id), createdBy: uid, $or: [{ withdrawnAt: null }, withdrawnRecently] };
      const current = await findOwn(ownFilter, restoreTooLate);
      const { withdrawnAt, hiddenAt = null } = current;
      if (withdrawnAt == null) return { acknowledged: true, matchedCount: 1, modifiedCount: 0 };
      const isStillHidden = isHiddenByOperator(current);
      const searchFields = isStillHidden ? noWords : searchFieldsOf(current);
      await vocabulary.add(searchFields.words);
      const { acknowledged, matchedCount, modifiedCount } = await services.updateOne(
        { ...ownFilter, withdrawnAt, hiddenAt },
        {
          $set: {
            withdrawnAt: null,
            hiddenAt: isStillHidden ? hiddenAt : null,
            ...searchFields,
          },
        },
      );
      // In the meantime, another request has restored the service, or an operator has hidden it. So try again.
      if (matchedCount === 0) return this.restore(id, uid);
      return { acknowledged, matchedCount, modifiedCount };
    },

    /**
     * Hides a service, or shows it again. While a service is hidden, only its lister can see it, and only their authors can
     * see its reviews. A service that its lister has withdrawn stays withdrawn when it is shown again.
     */
    async setHidden(id: string, hidden: Hidden | null): Promise<'done' | 'already' | 'missing'> {
      const _id = new ObjectId(id);
      const projection = { title: 1, description: 1, withdrawnAt: 1 };
      const service = await services.findOne({ _id }, { ...readTimeout, projection });
      if (!service) return 'missing';
      const { withdrawnAt = null } = service;
      const searchFields = withdrawnAt ? noWords : searchFieldsOf(service);
      if (!hidden) await vocabulary.add(searchFields.words);
      const { matchedCount } = hidden
        ? await services.updateOne(
            { _id, $nor: [hiddenByOperator] },
            { $set: { hiddenAt: hidden.at, hiddenReason: hidden.reason, ...noWords } },
          )
        : await services.updateOne(
            { _id, ...hiddenByOperator, withdrawnAt },
            { $set: { hiddenAt: withdrawnAt, ...searchFields }, $unset: { hiddenReason: 1 } },
          );
      return matchedCount === 1 ? 'done' : 'already';
    },

    /** Returns all services of a customer for operators, newest first. Hidden services are included. */
    listByOwner: (uid: string) => listForOperators({ createdBy: uid }),

    /** For operators: returns up to 100 services with this picture, newest first. */
    listByPicture: (img: string) => listForOperators({ img }, 100),

    sweepVocabulary: vocabulary.sweep,

    /** Adds services of an earlier version of the API to the search index. Returns their number. Idempotent. */
    async indexForSearch(): Promise<number> {
      // The filter is not `{ titleWords: null }`. With it, MongoDB before version 8 would examine every hidden service,
      // because the lists of words of hidden services are empty.
      const isMissing = { titleWords: { $exists: false } };
      const options = { limit: 100, projection: { title: 1, description: 1, hiddenAt: 1 } };
      for (let indexed = 0; ; ) {
        const batch = await services.find(isMissing, options).toArray();
        if (batch.length === 0) return indexed;
        const rows = batch.map(({ _id, title, description, hiddenAt = null }) => ({
          filter: { _id, title, description, hiddenAt, ...isMissing },
          fields: hiddenAt ? noWords : searchFieldsOf({ title, description }),
        }));
        await vocabulary.add([...new Set(rows.flatMap(({ fields }) => fields.words))]);
        const { modifiedCount } = await services.bulkWrite(
          rows.map(({ filter, fields }) => ({ updateOne: { filter, update: { $set: fields } } })),
          { ordered: false },
        );
        indexed += modifiedCount;
      }
    },

    /**
     * Removes the contact fields and the names of listers who have deleted their accounts. An earlier version of the API did
     * not remove them. Idempotent.
     */
    async removeContactsWithoutOwner(): Promise<void> {
      const hasContact = ['listerName', 'phone', 'website'].map((field) => ({ [field]: { $gt: '' } }));
      await services.updateMany({ createdBy: null, $or: hasContact }, { $set: noContact });
    },

    /** Removes a lister who has deleted their account, with their contact fields, from all their services. */
    async removeOwner(uid: string): Promise<void> {
      await services.updateMany({ createdBy: uid }, { $set: { createdBy: null, ...noContact } });
    },
  };
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

function applyEdit(current: ServiceDocument, edit: ServiceEdit): ServiceInput {
  const { title, ratting, img, price, description, phone = '', website = '', area = '' } = current;
  const fields = { title, ratting, img, price, description, phone, website, area };
  for (const name of Object.keys(fields) as (keyof ServiceInput)[]) fields[name] = edit[name] ?? fields[name];
  return fields;
}

/**
 * A withdrawal sets `withdrawnAt` and `hiddenAt` to the same time. If the times differ, an operator has hidden the service.
 */
function isHiddenByOperator({ hiddenAt, withdrawnAt }: Pick<ServiceDocument, 'hiddenAt' | 'withdrawnAt'>): boolean {
  return hiddenAt != null && hiddenAt.getTime() !== withdrawnAt?.getTime();
}
