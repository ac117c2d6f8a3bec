// One's own reviews as files to keep.
import type { OwnReview } from '@rtr/shared';

const columns: readonly [string, (review: OwnReview) => string][] = [
  ['Service', ({ serviceName }) => serviceName],
  ['Price', ({ price }) => price],
  ['Stars', ({ rating }) => String(rating ?? '')],
  ['Review', ({ review }) => review],
  ['Date', ({ date }) => date],
  ['Time', ({ time }) => time],
  ['Written at', ({ createdAt }) => createdAt],
  ['Edited at', ({ createdAt, updatedAt }) => (updatedAt === createdAt ? '' : updatedAt)],
  ['Name', ({ customer }) => customer],
  ['Photo', (review) => review.costomerImg],
  ['Email', ({ email }) => email],
  ['Service picture', ({ img }) => img],
  ['Service id', ({ serviceId }) => serviceId],
  ['Review id', ({ _id }) => _id],
  ['By the lister', ({ byLister }) => (byLister ? 'yes' : '')],
];

/** The reviews as the API gives them. */
export function toJson(reviews: OwnReview[]): string {
  return `${JSON.stringify(reviews, null, 2)}\n`;
}

/** RFC 4180 in UTF-8, with the mark by which spreadsheets know it. */
export function toCsv(reviews: OwnReview[]): string {
  const rows = [columns.map(([name]) => name), ...reviews.map((review) => columns.map(([, value]) => value(review)))];
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/**
 * Where a spreadsheet would begin a formula, in a cell or in what it may take for one: some cut at ; tab or |. The sign is
 * optional so that blanks without one are read once, not again from each of them.
 */
const formula = /((?:^|[;|\t\r\n])[\s"']*)([=+\-@＝＋－＠]?)/gu;

/** One quoted cell. A ' keeps what looks like a formula from being run. */
function cell(value: string): string {
  const inert = value.replaceAll(formula, (found, before: string, sign: string) =>
    sign ? `${before}'${sign}` : found,
  );
  return `"${inert.replaceAll('"', '""')}"`;
}
