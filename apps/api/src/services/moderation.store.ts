import type { ReportedPart } from '@rtr/shared';
import { type Filter, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { Hidden } from '../database/documents/hidden.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { NotFoundError, notFound } from '../errors.ts';
import type { ModeratedContent } from '../moderation/find-contents.ts';
import type { PictureUse } from '../pictures/picture-use.ts';
import { searchFieldsOf } from './search-terms.ts';
import { isHidden, listed, noWords, toOwnService, withoutWords } from './service-documents.ts';
import { createVocabularyStore } from './vocabulary.store.ts';

/** Matches hidden services. A service that is only withdrawn has the same time in both fields (see `isHidden`). */
const hiddenFilter = { hiddenAt: { $ne: null }, $expr: { $ne: ['$hiddenAt', '$withdrawnAt'] } };

/** A service or a review of a customer, for operators. */
export interface OwnedRow {
  id: string;
  /** The title of the service. */
  title: string;
  createdAt: Date;
  isHidden: boolean;
  /** True if the author deleted the review, or the lister withdrew the service. Always false for a hidden review. */
  isDeleted: boolean;
}

export type ServiceModerationStore = ReturnType<typeof createServiceModerationStore>;

/** Creates the store with which moderators and operators find, hide and restore services. */
export function createServiceModerationStore(
  collections: Pick<Collections, 'services' | 'vocabulary'>,
  { toAddress }: Pick<PictureUse, 'toAddress'>,
) {
  const { services } = collections;
  const vocabulary = createVocabularyStore(collections);

  async function listForOperators(filter: Filter<ServiceDocument>, limit = 0): Promise<OwnedRow[]> {
    const projection = { title: 1, createdAt: 1, hiddenAt: 1, withdrawnAt: 1 };
    const documents = await services
      .find(filter, { ...readTimeout, projection })
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit)
      .toArray();
    return documents.map((document) => ({
      id: document._id.toHexString(),
      title: document.title,
      createdAt: document.createdAt,
      isHidden: isHidden(document),
      isDeleted: document.withdrawnAt !== null,
    }));
  }

  /**
   * Hides or restores a service. The reviews of a hidden service are not public. If the lister has withdrawn the service, it
   * stays withdrawn even after it is restored.
   */
  async function setHidden(id: string, hidden: Hidden | null): Promise<'done' | 'already' | 'missing'> {
    const _id = new ObjectId(id);
    const projection = { title: 1, area: 1, description: 1, hiddenAt: 1, withdrawnAt: 1 };
    const service = await services.findOne({ _id }, { ...readTimeout, projection });
    if (!service) return 'missing';
    if (hidden) {
      const { matchedCount } = await services.updateOne(
        { _id, $nor: [hiddenFilter] },
        {
          $set: { hiddenAt: hidden.at, hiddenReason: hidden.reason, ...noWords },
          $unset: { isHidingAppealed: 1 },
        },
      );
      return matchedCount === 1 ? 'done' : 'already';
    }
    if (!isHidden(service)) return 'already';
    const { hiddenAt, withdrawnAt } = service;
    const searchFields = withdrawnAt ? noWords : searchFieldsOf(service);
    await vocabulary.add(searchFields.words);
    const { matchedCount } = await services.updateOne(
      { _id, hiddenAt, withdrawnAt },
      { $set: { hiddenAt: withdrawnAt, ...searchFields }, $unset: { hiddenReason: 1, isHidingAppealed: 1 } },
    );
    // If no document matched, the service was withdrawn or restored after it was read above. So try again.
    return matchedCount === 1 ? 'done' : setHidden(id, null);
  }

  return {
    /**
     * Finds the service that a customer reports. Throws a NotFoundError unless everyone can see the reported part. `owner`
     * is the uid of the lister.
     */
    async findForReport(id: string, part: ReportedPart) {
      const _id = new ObjectId(id);
      const options = { ...readTimeout, projection: { title: 1, img: 1, createdBy: 1 } };
      const document = await services.findOne({ _id, ...listed }, options);
      if (!document) throw new NotFoundError(notFound.service);
      if (part === 'picture' && document.img === '') throw new NotFoundError('This service has no picture.');
      return { owner: document.createdBy, serviceId: _id, title: document.title };
    },

    /**
     * Finds the decision that has hidden the service or removed its picture. Throws a NotFoundError unless the customer is
     * the lister.
     */
    async findForAppeal(uid: string, id: string, part: ReportedPart) {
      const _id = new ObjectId(id);
      const projection = { title: 1, hiddenAt: 1, withdrawnAt: 1, removedPicture: 1 };
      const document = await services.findOne(
        { _id, createdBy: uid, withdrawnAt: null },
        { ...readTimeout, projection },
      );
      const at = part === 'picture' ? document?.removedPicture?.at : document?.hiddenAt;
      if (!document || !at) throw new NotFoundError(notFound.decision);
      return { at, serviceId: _id, title: document.title };
    },

    /** Records that the lister has asked for another look at this decision. */
    async setAppealed(id: string, part: ReportedPart, { at }: { at: Date }) {
      const [decidedAt, isAppealed] =
        part === 'picture' ? ['removedPicture.at', 'removedPicture.isAppealed'] : ['hiddenAt', 'isHidingAppealed'];
      await services.updateOne({ _id: new ObjectId(id), [decidedAt]: at }, { $set: { [isAppealed]: true } });
    },

    /**
     * Finds services by their ids, including hidden services. For a withdrawn service, the result does not contain the
     * service itself.
     */
    async findForModeration(ids: readonly string[]): Promise<Map<string, ModeratedContent>> {
      const _id = { $in: ids.map((id) => new ObjectId(id)) };
      const documents = await services.find({ _id }, { ...readTimeout, projection: withoutWords }).toArray();
      return new Map(
        documents.map((document) => {
          const { hidden, removedPicture: _removed, ...service } = toOwnService(document, toAddress);
          return [
            service._id,
            {
              ...(document.withdrawnAt === null && { service }),
              hidden: { ...(hidden && { service: hidden }) },
              contentVersion: service.updatedAt,
              hasReply: false,
              isReadable: document.hiddenAt === null,
              pictures: document.img === '' ? [] : [document.img],
              lister: document.createdBy,
            },
          ];
        }),
      );
    },

    setHidden,

    /** Returns all services of a customer for operators, newest first. Hidden services are included. */
    listByOwner: (uid: string) => listForOperators({ createdBy: uid }),

    /** For operators: returns the newest 100 services with this picture, newest first. */
    listByPicture: (img: string) => listForOperators({ img }, 100),
  };
}
