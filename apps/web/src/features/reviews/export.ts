// Exports the customer's own reviews as files.
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
  ['Service ID', ({ serviceId }) => serviceId],
  ['Review ID', ({ _id }) => _id],
  ['By the lister', ({ byLister }) => (byLister ? 'yes' : '')],
];

/** Formats the reviews as JSON, as the API sends them. */
export function toJson(reviews: OwnReview[]): string {
  return `${JSON.stringify(reviews, null, 2)}\n`;
}

/** Formats the reviews as CSV (RFC 4180) in UTF-8, with a byte order mark for spreadsheet programs. */
export function toCsv(reviews: OwnReview[]): string {
  const rows = [columns.map(([name]) => name), ...reviews.map((review) => columns.map(([, value]) => value(review)))];
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/**
 * Matches the start of a formula in a cell: at its beginning, or after a character at which some spreadsheet programs split
 * cells. The sign is optional so that matching takes linear time on spaces without a sign.
 */
const formula = /((?:^|[;|\t\r\n])[\s"']*)([=+\-@＝＋－＠]?)/gu;

/** Formats one quoted cell. An apostrophe is added before a formula, so that no spreadsheet program executes it. */
function cell(value: string): string {
  const inert = value.replaceAll(formula, (found, before: string, sign: string) =>
    sign ? `${before}'${sign}` : found,
  );
  return `"${inert.replaceAll('"', '""')}"`;
}
