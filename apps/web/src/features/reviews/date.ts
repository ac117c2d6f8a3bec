import type { Review } from '@rtr/shared';
import { dayOf } from '../../lib/date.ts';

/**
 * Returns the stored date of a review, a text that the author's device formatted. If no date is stored, returns the UTC day of
 * `createdAt`.
 */
export const dateOf = ({ date, createdAt }: Pick<Review, 'date' | 'createdAt'>): string => date || dayOf(createdAt);
