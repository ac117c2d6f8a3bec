import type { Review } from '@rtr/shared';

const dayMs = 24 * 60 * 60 * 1000;
const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/**
 * Returns the date of a review, such as '4 March 2026'. The stored date is a text in the format of the author's device, so
 * '3/4/2026' can also mean 3 April. To find the right day, this function compares the text with three days: the UTC day of
 * `createdAt`, the day before and the day after. The result is the day whose day, month and year are the numbers in the
 * text, in any order. If no day matches, the result is the UTC day of `createdAt`.
 */
export function dateOf({ date, createdAt }: Pick<Review, 'date' | 'createdAt'>): string {
  const created = Date.parse(createdAt);
  const stored = sorted((date.match(/\d+/g) ?? []).map(Number));
  const day = [created, created - dayMs, created + dayMs]
    .map((time) => new Date(time))
    .find((day) => sorted([day.getUTCDate(), day.getUTCMonth() + 1, day.getUTCFullYear()]) === stored);
  return format.format(day ?? created);
}

/** Returns the last two digits of each number, sorted. Some devices write only the last two digits of the year. */
const sorted = (numbers: number[]) =>
  numbers
    .map((number) => number % 100)
    .toSorted((one, other) => one - other)
    .join();
