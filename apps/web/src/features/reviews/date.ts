import type { Review } from '@rtr/shared';

/**
 * Returns the date of a review, as the author's device formatted it. If a review has no such date, returns the date in UTC,
 * which is the same on the server and in every browser.
 */
export const dateOf = ({ date, createdAt }: Pick<Review, 'date' | 'createdAt'>) =>
  date || new Date(createdAt).toLocaleDateString('en', { timeZone: 'UTC' });
