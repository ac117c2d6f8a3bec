import type { Review } from '@rtr/shared';

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** Returns the UTC day of a timestamp, such as '4 March 2026'. It is the same on the server and in every browser. */
export const dayOf = (timestamp: string): string => format.format(Date.parse(timestamp));

/**
 * Returns the stored date of a review, a text that the author's device formatted. If no date is stored, returns the UTC day of
 * `createdAt`.
 */
export const dateOf = ({ date, createdAt }: Pick<Review, 'date' | 'createdAt'>): string => date || dayOf(createdAt);
