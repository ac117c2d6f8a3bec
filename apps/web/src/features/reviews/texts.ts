import { limits } from '@rtr/shared';

/** The texts about reviews that several pages show. */
export const reviewText = {
  total: (total: number) => `Total Review: ${total}`,
  /** The name of a review for screen readers. */
  yours: (service: string) => `your review of ${service}`,
  thisReview: 'this review',
  photos: 'photos of this review',
  otherPhotos: 'You can add other photos.',
  theirs: (name: string, date: string) => `the review by ${name}, ${date}`,
  noName: 'Customer',
  edit: 'Edit your review',
  seeYours: 'See your reviews',
  edited: 'edited',
  byLister: 'By the lister',
  unlisted: 'No longer listed',
  loading: 'Loading reviews…',
  moreFailed: 'We could not load more reviews.',
  notFound: 'This review was not found',
  maybeDeleted: 'It may have been deleted, or the link may be wrong.',
  deletion: `A review that you delete is hidden immediately. You can undo the deletion for ${limits.restoreMinutes} minutes on the page My Review. The review is erased about a day later.`,
};
