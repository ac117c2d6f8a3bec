import type { Review } from '@rtr/shared';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Returns the date of a review as it is stored, in the format of the author's device. If no date is stored, returns the UTC
 * day of `createdAt`, such as '4 March 2026'.
 */
export const dateOf = ({ date, createdAt }: Pick<Review, 'date' | 'createdAt'>): string =>
  date || format.format(Date.parse(createdAt));
