import { limits, type OwnReview, type Reply, type Review } from '@rtr/shared';
import type { ObjectId } from 'mongodb';
import {
  deletedAndHiddenAt,
  hiddenDeletedAt,
  type ReplyDocument,
  type ReviewDocument,
} from '../database/documents/reviews.ts';
import { cursorValue, type SortOrder } from '../database/pagination.ts';
import type { PictureUse } from '../pictures/picture-use.ts';
import { toHidden } from '../to-hidden.ts';
import { normalizeWords } from '../words.ts';

const restoreWindowMs = limits.restoreMinutes * 60_000;

/** The sort fields for reviews from the newest to the oldest. All other orders of reviews end with these fields. */
export const newestFirst: SortOrder['fields'] = [
  ['createdAt', -1, cursorValue.date],
  ['_id', -1, cursorValue.id],
];

/** A filter for the reviews that count in the quota of a service. Hidden reviews count, because they can be restored. */
export const liveReviewsOf = (uid: string, serviceId: ObjectId) => ({
  serviceId,
  uid,
  deletedAt: { $in: [null, hiddenDeletedAt] },
});

/** A filter for reviews that are neither deleted nor hidden. Hiding a review also sets `deletedAt`. */
export const notDeleted = { deletedAt: null };

/**
 * A projection that leaves out the text for searches and the uids of the voters. A review can have 10,000 voters, and no
 * response needs them.
 */
export const withoutLongFields = { usefulBy: 0, searchText: 0 };

/** A projection that leaves out fields that visitors never receive, because reading them takes time. */
export const withoutPrivateFields = {
  ...withoutLongFields,
  uid: 0,
  email: 0,
  requestHash: 0,
  deletedAt: 0,
  deletedReply: 0,
  removedPhotos: 0,
};

export type PublicReviewDocument = Omit<ReviewDocument, keyof typeof withoutPrivateFields>;

/** A filter for reviews that their authors can read: those that they have not deleted. */
export const readableByAuthor = { deletedAt: { $in: [null, hiddenDeletedAt] } };

/** A filter for reviews that their authors have deleted, and can still restore. */
export const deletedRecently = () => ({
  deletedAt: { $gt: new Date(Date.now() - restoreWindowMs), $lt: deletedAndHiddenAt },
});

export function isReadableByAuthor({ deletedAt }: Pick<ReviewDocument, 'deletedAt'>): boolean {
  return deletedAt === null || deletedAt.getTime() === hiddenDeletedAt.getTime();
}

/** Returns the fields that store the text of a review. */
export function textFields(review: string) {
  return {
    review,
    searchText: normalizeWords(review)
      .map((word) => ` ${word}`)
      .join(''),
  };
}

/**
 * Returns the fields that store the stars of a review. A review without stars is last in both orders, highest first and
 * lowest first. The stars of a review by the lister are stored in a separate field. So all counts, averages, orders and
 * filters treat it as a review without stars.
 */
export function starFields(stars: number | null | undefined, isByLister = false) {
  if (isByLister) return { rating: 0, lowestRating: 6, listerRating: stars ?? 0 };
  return { rating: stars ?? 0, lowestRating: stars ?? 6 };
}

/** Converts a document to the public form of the review, without the email address and a hidden reply. */
export function toReview(document: PublicReviewDocument, toAddress: PictureUse['toAddress']): Review {
  const { reply, ...review } = toFullReview(document, toAddress);
  return document.reply?.hidden || !reply ? review : { ...review, reply };
}

/** Converts a document to the public form of the review, but with a hidden reply. */
export function toFullReview(document: PublicReviewDocument, toAddress: PictureUse['toAddress']): Review {
  const { _id, serviceId, serviceName, price, img, customer, costomerImg, review, byLister, time, date } = document;
  const { photos = [], reply } = document;
  const rating = (byLister ? document.listerRating : document.rating) ?? 0;
  return {
    _id: _id.toHexString(),
    serviceId: serviceId.toHexString(),
    serviceName,
    price,
    img: toAddress(img),
    customer,
    costomerImg: toAddress(costomerImg),
    review,
    ...(rating > 0 && { rating }),
    ...(photos.length > 0 && { photos: photos.map(({ url, alt }) => ({ url: toAddress(url), alt })) }),
    ...(byLister && { byLister }),
    ...(reply && { reply: toReply(reply) }),
    time,
    date,
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.updatedAt.toISOString(),
    usefulCount: document.usefulCount,
  };
}

export function toReply({ text, name, createdAt, updatedAt }: ReplyDocument): Reply {
  return { text, name, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
}

/** Converts a document to the review that the API sends to its author, with the author's email address. */
export function toOwnReview(
  document: ReviewDocument,
  toAddress: PictureUse['toAddress'],
  isUnlisted: boolean,
): OwnReview {
  const { email, hidden, removedPhotos } = document;
  return {
    ...toReview(document, toAddress),
    email,
    ...(isUnlisted && { isUnlisted }),
    ...(hidden && { hidden: toHidden(hidden) }),
    ...(removedPhotos && { removedPhotos: toHidden(removedPhotos) }),
  };
}
