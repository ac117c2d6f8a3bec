import {
  type DeleteResult,
  type InsertResult,
  limits,
  pickServiceFields,
  type ServiceEdit,
  type ServiceInput,
  type UpdateResult,
} from '@rtr/shared';
import { type Filter, ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import { createRowIdentity, findFirstResult, insertIdempotently } from '../database/idempotent-insert.ts';
import { ForbiddenError, NotFoundError, OutdatedVersionError, UnavailableError } from '../errors.ts';
import type { PictureUse } from '../pictures/picture-use.ts';
import type { Quotas } from '../quotas.ts';
import type { ListerStore } from './listers.store.ts';
import { firstNumber, searchFieldsOf } from './search-terms.ts';
import { isHidden, listed, noWords, toOwnService, withoutWords } from './service-documents.ts';
import type { VocabularyStore } from './vocabulary.store.ts';

/** The fields that are about the lister. They are erased when the lister deletes their account. */
const noLister = {
  createdBy: null,
  listerId: null,
  listerName: '',
  phone: '',
  website: '',
  hours: '',
  licence: '',
  insured: '',
};
const restoreWindowMs = limits.withdrawnDays * 24 * 3_600_000;
/**
 * The maximum number of attempts to edit a service. An attempt fails if another request edits the service at the same time.
 * Other writes need no maximum: after the first attempt, the document has another state, which ends the request.
 */
const maxEditAttempts = 5;

const hiddenService =
  'A moderator has hidden your service, so you cannot edit it. You can read the reason on the page My services.';
const serviceGone = 'No service has this id. It may have been withdrawn.';
const restoreTooLate = `No such service can be restored. A service can be restored for ${limits.withdrawnDays} days after its withdrawal.`;

const pathOf = (id: string) => `/services/${id}`;

type OwnFilter = Filter<ServiceDocument> & { createdBy: string };

/** Creates the functions with which listers add, edit, withdraw and restore their services. */
export function createServiceWrites(
  { services }: Pick<Collections, 'services'>,
  vocabulary: Pick<VocabularyStore, 'add'>,
  listers: Pick<ListerStore, 'save' | 'erase'>,
  pictures: PictureUse,
  quotas: Pick<Quotas, 'countDaily'>,
) {
  /**
   * Finds a service that the customer may change. Throws a ForbiddenError if the service belongs to another customer, and a
   * NotFoundError if there is no such service. If a service of another customer is hidden, also throws a NotFoundError,
   * because the error must not reveal that the service exists.
   */
  async function findOwn(ownFilter: OwnFilter, notFoundMessage: string): Promise<ServiceDocument> {
    const own = await services.findOne(ownFilter, { ...readTimeout, projection: withoutWords });
    if (own) return own;
    const { createdBy, ...filterForAnyLister } = ownFilter;
    const othersFilter = { ...filterForAnyLister, createdBy: { $ne: createdBy } };
    const other = await services.findOne(othersFilter, { ...readTimeout, projection: withoutWords });
    if (other && !isHidden(other))
      throw new ForbiddenError('This service belongs to someone else. Only its lister can change it.');
    throw new NotFoundError(notFoundMessage);
  }

  return {
    async insert(
      lister: Parameters<ListerStore['save']>[0],
      input: ServiceInput,
      idempotencyKey?: string,
      createdAt = new Date(),
    ): Promise<InsertResult> {
      const row: ServiceDocument = {
        ...createRowIdentity(lister.uid, idempotencyKey, '', Object.values(pickServiceFields(input))),
        ...input,
        listerName: lister.name,
        createdAt,
        updatedAt: createdAt,
        createdBy: lister.uid,
        listerId: null,
        ...searchFieldsOf(input),
        priceNumber: firstNumber(input.price),
        reviewCount: 0,
        ratingCount: 0,
        averageRating: 0,
        fullStars: 0,
        distribution: [0, 0, 0, 0, 0],
        summaryVersion: 0,
        summarisedVersion: 0,
        recheckAt: null,
        hiddenAt: null,
        withdrawnAt: null,
      };
      const firstResult = await findFirstResult(services, row, pathOf);
      if (firstResult) return firstResult;
      row.img = await pictures.use(lister.uid, input.img, 'body.img');
      return quotas.countDaily('services', lister.uid, async () => {
        row.listerId = await listers.save(lister, createdAt);
        await vocabulary.add(row.words);
        return insertIdempotently(services, row, pathOf);
      });
    },

    /**
     * Edits a service. If `versions` is given and does not contain the time of the last edit (in milliseconds since 1970),
     * throws an OutdatedVersionError.
     */
    async edit(id: string, uid: string, edit: ServiceEdit, versions?: readonly number[]): Promise<UpdateResult> {
      const ownFilter = { _id: new ObjectId(id), createdBy: uid, withdrawnAt: null };
      for (let attempt = 0; attempt < maxEditAttempts; attempt += 1) {
        const current = await findOwn(ownFilter, serviceGone);
        if (isHidden(current)) throw new ForbiddenError(hiddenService);
        const lastEdit = current.updatedAt.getTime();
        if (versions && !versions.includes(lastEdit))
          throw new OutdatedVersionError(
            'This service was edited in the meantime. Compare your edit with the current version, and send it again.',
            toOwnService(current, pictures.toAddress),
          );
        const img = edit.img === undefined ? current.img : await pictures.use(uid, edit.img, 'body.img', current.img);
        const fields = Object.assign(pickServiceFields(current), edit, { img });
        const changes = {
          ...fields,
          ...searchFieldsOf(fields),
          priceNumber: firstNumber(fields.price),
          updatedAt: new Date(Math.max(Date.now(), lastEdit + 1)),
        };
        const write = () =>
          services.updateOne(
            { ...ownFilter, ...listed, updatedAt: current.updatedAt },
            { $set: changes, ...(img !== '' && { $unset: { removedPicture: 1 } }) },
          );
        const hasNewWords = (['title', 'area', 'description'] as const).some((name) => fields[name] !== current[name]);
        const { acknowledged, matchedCount, modifiedCount } = await (hasNewWords
          ? quotas.countDaily('edits', uid, async () => {
              await vocabulary.add(changes.words);
              return write();
            })
          : write());
        if (matchedCount === 1) return { acknowledged, matchedCount, modifiedCount };
      }
      throw new UnavailableError('Other edits of this service were saved at the same time. Send your edit again.', 1);
    },

    /** Withdraws a service. Its reviews are then not public either. */
    async withdraw(id: string, uid: string): Promise<DeleteResult> {
      const ownFilter = { _id: new ObjectId(id), createdBy: uid, withdrawnAt: null };
      await findOwn(ownFilter, serviceGone);
      const now = new Date();
      const { acknowledged, modifiedCount } = await services.updateOne(ownFilter, [
        { $set: { withdrawnAt: now, hiddenAt: { $ifNull: ['$hiddenAt', now] }, ...noWords } },
      ]);
      // If no document matched, the service was withdrawn after it was read above. So try again, to throw the error.
      if (modifiedCount === 0) return this.withdraw(id, uid);
      return { acknowledged, deletedCount: modifiedCount };
    },

    /** Restores a withdrawn service. Idempotent, so a client can repeat the request if the response was lost. */
    async restore(id: string, uid: string): Promise<UpdateResult> {
      const withdrawnRecently = { withdrawnAt: { $gt: new Date(Date.now() - restoreWindowMs) } };
      const ownFilter = { _id: new ObjectId(id), createdBy: uid, $or: [{ withdrawnAt: null }, withdrawnRecently] };
      const current = await findOwn(ownFilter, restoreTooLate);
      const { withdrawnAt, hiddenAt } = current;
      if (withdrawnAt === null) return { acknowledged: true, matchedCount: 1, modifiedCount: 0 };
      const isStillHidden = isHidden(current);
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
      // If no document matched, the service was hidden or restored after it was read above. So try again.
      if (matchedCount === 0) return this.restore(id, uid);
      return { acknowledged, matchedCount, modifiedCount };
    },

    /** Erases the page of a lister who has deleted their account, and removes the lister from all their services. */
    async removeOwner(uid: string): Promise<void> {
      await listers.erase(uid);
      await services.updateMany({ createdBy: uid }, { $set: noLister });
    },
  };
}
