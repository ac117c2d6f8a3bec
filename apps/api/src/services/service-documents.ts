import { type OwnService, pickServiceFields, type Service } from '@rtr/shared';
import type { ServiceDocument } from '../database/documents/services.ts';
import type { PictureUse } from '../pictures/picture-use.ts';
import { toHidden } from '../to-hidden.ts';
import { searchFieldsOf } from './search-terms.ts';

/** A projection that leaves out the search words of a service, because they can be longer than its description. */
export const withoutWords = { words: 0, titleWords: 0 };

/** A projection that leaves out fields that visitors never receive, because reading them takes time. */
export const withoutPrivateFields = {
  ...withoutWords,
  createdBy: 0,
  requestHash: 0,
  fullStars: 0,
  summaryVersion: 0,
  summarisedVersion: 0,
  recheckAt: 0,
  hiddenAt: 0,
  withdrawnAt: 0,
  hiddenReason: 0,
  isHidingAppealed: 0,
  removedPicture: 0,
};

/** The projection of a service in a public list. Only the page of a service shows the distribution of its stars. */
export const listedFields = { ...withoutPrivateFields, distribution: 0 };

/** A filter for services that are neither hidden nor withdrawn. A withdrawal also sets `hiddenAt`. */
export const listed = { hiddenAt: null };

/** Searches must not find services that are hidden or withdrawn, so these services have no search words. */
export const noWords = searchFieldsOf({ title: '', area: '', description: '' });

/** A service as the API sends it to its lister, but without `unansweredCount`. */
export type ListerService = Omit<OwnService, 'unansweredCount'>;

type StoredService = Omit<ServiceDocument, keyof typeof withoutWords>;

type PublicServiceDocument = Omit<ServiceDocument, keyof typeof listedFields>;

/**
 * A withdrawal sets `withdrawnAt` and `hiddenAt` to the same time. If the times differ, the service is hidden.
 */
export function isHidden({ hiddenAt, withdrawnAt }: Pick<ServiceDocument, 'hiddenAt' | 'withdrawnAt'>): boolean {
  return hiddenAt !== null && hiddenAt.getTime() !== withdrawnAt?.getTime();
}

/** Converts a document to the public form of the service. */
export function toService(document: PublicServiceDocument, toAddress: PictureUse['toAddress']): Service {
  const { _id, listerName, listerId, createdAt, updatedAt, reviewCount, ratingCount, averageRating } = document;
  return {
    _id: _id.toHexString(),
    ...pickServiceFields(document),
    img: toAddress(document.img),
    listerName,
    listerId: listerId?.toHexString() ?? '',
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    reviewCount,
    ratingCount,
    averageRating: ratingCount === 0 ? null : averageRating,
  };
}

/** Converts a document to the object that the lister of the service receives. */
export function toOwnService(document: StoredService, toAddress: PictureUse['toAddress']): ListerService {
  const { hiddenAt, hiddenReason: reason = '', isHidingAppealed: isAppealed, removedPicture } = document;
  return {
    ...toService(document, toAddress),
    ...(hiddenAt &&
      isHidden(document) && { hidden: toHidden({ at: hiddenAt, reason, ...(isAppealed && { isAppealed }) }) }),
    ...(removedPicture && { removedPicture: toHidden(removedPicture) }),
  };
}
