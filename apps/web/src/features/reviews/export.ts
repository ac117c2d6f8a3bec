import type { OwnReview } from '@rtr/shared';
import { reviewText } from './texts.ts';

const columns: readonly [string, (review: OwnReview) => string][] = [
  ['Service', ({ serviceName }) => serviceName],
  ['Price', ({ price }) => price],
  ['Stars', ({ rating }) => String(rating ?? '')],
  ['Review', ({ review }) => review],
  ['Review photos', ({ photos = [] }) => photos.map(({ url }) => url).join('\n')],
  ['Date', ({ date }) => date],
  ['Time', ({ time }) => time],
  ['Written at', ({ createdAt }) => createdAt],
  ['Edited at', ({ createdAt, updatedAt }) => (updatedAt === createdAt ? '' : updatedAt)],
  ['Name', ({ customer }) => customer],
  ['Photo', (review) => review.costomerImg],
  ['Email', ({ email }) => email],
  ['Service picture', ({ img }) => img],
  ['Service ID', ({ serviceId }) => serviceId],
  ['Review ID', ({ _id }) => _id],
  [reviewText.byLister, ({ byLister }) => (byLister ? 'yes' : '')],
  [reviewText.unlisted, ({ isUnlisted }) => (isUnlisted ? 'yes' : '')],
];

export function toJson(reviews: OwnReview[]): string {
  return `${JSON.stringify(reviews, null, 2)}\n`;
}

/** Formats the reviews as CSV (RFC 4180). The byte order mark tells spreadsheet programs that the encoding is UTF-8. */
export function toCsv(reviews: OwnReview[]): string {
  const rows = [columns.map(([name]) => name), ...reviews.map((review) => columns.map(([, value]) => value(review)))];
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/**
 * Matches the places where a spreadsheet formula can start: the beginning of a cell, and after a character at which some
 * programs split cells. The sign of the formula is optional in this regular expression. So the matching time stays linear,
 * even for a text with many spaces and no sign.
 */
const formula = /((?:^|[;|\t\r\n])[\s"']*)([=+\-@＝＋－＠]?)/gu;

/** Formats a cell in quotes. Adds an apostrophe before a formula, so that spreadsheet programs do not execute it. */
function cell(value: string): string {
  const inert = value.replaceAll(formula, (found, before: string, sign: string) =>
    sign ? `${before}'${sign}` : found,
  );
  return `"${inert.replaceAll('"', '""')}"`;
}
