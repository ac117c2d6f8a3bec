import type { Review } from '@rtr/shared';

/** The date of a review as its author's device wrote it, or else the date in UTC, which is the same on the server. */
export const dateOf = ({ date, createdAt }: Pick<Review, 'date' | 'createdAt'>) =>
  date || new Date(createdAt).toLocaleDateString('en', { timeZone: 'UTC' });
