import type { OwnReview, Review } from '@rtr/shared';
import type { ReviewDocument } from '../database/documents.ts';

/** Matches reviews that are neither deleted nor hidden. */
export const notDeleted = { deletedAt: null };

/**
 * The fields that store the stars of a review. Without stars, a review sorts last in both directions. The stars of a lister
 * are stored apart, so that all counts, averages, orders and filters see a review without stars. This also holds for
 * instances of the previous version that are still running.
 */
export function starFields(stars: number | null | undefined, isByLister = false) {
  if (isByLister) return { rating: 0, lowestRating: 6, listerRating: stars ?? 0 };
  return { rating: stars ?? 0, lowestRating: stars ?? 6 };
}

/** The review as everyone may read it. */
export function toReview(document: ReviewDocument): Review {
  const { _id, serviceId, serviceName, price, img, customer, costomerImg, review, byLister, time, date } = document;
  const rating = (byLister ? document.listerRating : document.rating) ?? 0;
  return {
    _id: _id.toHexString(),
    serviceId: serviceId.toHexString(),
    serviceName,
    price,
    img,
    customer,
    costomerImg,
    review,
    ...(rating > 0 && { rating }),
    ...(byLister && { byLister }),
    time,
    date,
    createdAt: document.createdAt.toISOString(),
    updatedAt: document.updatedAt.toISOString(),
  };
}

/** The review as its author may read it. */
export function toOwnReview(document: ReviewDocument): OwnReview {
  return { ...toReview(document), email: document.email };
}
