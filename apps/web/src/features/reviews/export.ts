// The customer's own reviews as files.
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

/** The reviews as the API sends them. */
export function toJson(reviews: OwnReview[]): string {
  return `${JSON.stringify(reviews, null, 2)}\n`;
}

/** RFC 4180 in UTF-8, with a byte order mark for spreadsheets. */
export function toCsv(reviews: OwnReview[]): string {
  const rows = [columns.map(([name]) => name), ...reviews.map((review) => columns.map(([, value]) => value(review)))];
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/**
 * The start of a formula, at the start of a cell or after a character at which some spreadsheets split cells. The sign is
 * optional so that the expression takes linear time on spaces without a sign.
 */
const formula = /((?:^|[;|\t\r\n])[\s"']*)([=+\-@＝＋－＠]?)/gu;

/** One quoted cell. An apostrophe before a formula prevents its execution. */
function cell(value: string): string {
  const inert = value.replaceAll(formula, (found, before: string, sign: string) =>
    sign ? `${before}'${sign}` : found,
  );
  return `"${inert.replaceAll('"', '""')}"`;
}
