import type { ConversationDetails, HiddenContent, Message, OwnReply, OwnReport, OwnReview, OwnVote } from '@rtr/shared';
import { reviewText } from './texts.ts';

/** The contributions of a customer: their own reviews, replies, votes, reports and requests; and their setting of emails. */
export interface ExportedContent {
  reviews: OwnReview[];
  replies: OwnReply[];
  /** The reviews of other authors that the customer marked as useful. */
  votes: OwnVote[];
  reports: OwnReport[];
  requests: ConversationDetails[];
  /** Whether the customer gets emails about news. */
  emailsAboutNews: boolean;
}

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
  ['Reply', ({ reply }) => reply?.text ?? ''],
  ['Reply by', ({ reply }) => reply?.name ?? ''],
  ['Replied at', ({ reply }) => reply?.createdAt ?? ''],
  ['Found useful by', ({ usefulCount }) => String(usefulCount)],
  ['Service ID', ({ serviceId }) => serviceId],
  ['Review ID', ({ _id }) => _id],
  ['Your reply', () => ''],
  ['Useful to you', () => ''],
  ['Reported', () => ''],
  ['Your reason', () => ''],
  ['Your report', () => ''],
  ['Outcome', () => ''],
  ['Request ID', () => ''],
  ['Message from', () => ''],
  ['Message', () => ''],
  ['Message photos', () => ''],
  [reviewText.byLister, ({ byLister }) => (byLister ? 'yes' : '')],
  [reviewText.unlisted, ({ isUnlisted }) => (isUnlisted ? 'yes' : '')],
  ['Reason for hiding', ({ hidden }) => reasonOf(hidden)],
  ['Reason for removing photos', ({ removedPhotos }) => reasonOf(removedPhotos)],
];

/** Returns why content is hidden or removed. Returns an empty text for visible content. */
const reasonOf = (hidden: HiddenContent | undefined) => hidden?.reason ?? '';

/** The columns that have a value if the row is a reply. All other columns are then empty. */
const replyColumns: Record<string, (reply: OwnReply) => string> = {
  Service: ({ serviceName }) => serviceName,
  'Your reply': ({ text }) => text,
  'Written at': ({ createdAt }) => createdAt,
  'Edited at': ({ createdAt, updatedAt }) => (updatedAt === createdAt ? '' : updatedAt),
  Name: ({ name }) => name,
  'Service ID': ({ serviceId }) => serviceId,
  'Review ID': ({ reviewId }) => reviewId,
  'Reason for hiding': ({ hidden }) => reasonOf(hidden),
};

/** The columns that have a value if the row is a vote. */
const voteColumns: Record<string, (vote: OwnVote) => string> = {
  Service: ({ serviceName }) => serviceName,
  'Service ID': ({ serviceId }) => serviceId,
  'Review ID': ({ reviewId }) => reviewId,
  'Useful to you': () => 'yes',
};

/** The columns that have a value if the row is a report. */
const reportColumns: Record<string, (report: OwnReport) => string> = {
  Service: ({ target }) => target.title,
  'Written at': ({ createdAt }) => createdAt,
  'Service ID': ({ target }) => target.serviceId,
  'Review ID': ({ target }) => (target.kind === 'review' ? target.id : ''),
  Reported: ({ about }) => about,
  'Your reason': ({ reason }) => reason,
  'Your report': ({ text }) => text,
  Outcome: ({ outcome = 'open' }) => outcome,
};

/** A message of a request. */
interface RequestMessage {
  request: ConversationDetails;
  message: Message;
}

/** The columns that have a value if the row is a message of a request. */
const messageColumns: Record<string, (row: RequestMessage) => string> = {
  Service: ({ request }) => request.serviceTitle,
  'Written at': ({ message }) => message.createdAt,
  'Service ID': ({ request }) => request.serviceId,
  'Request ID': ({ request }) => request._id,
  'Message from': ({ request, message }) => (message.isOwn ? 'you' : request.other.name),
  Message: ({ message }) => message.text,
  'Message photos': ({ message: { photos = [] } }) => photos.map(({ alt }) => alt || 'photo').join('\n'),
};

/** Returns the numbers of exported reviews, replies, reports and requests, such as '3 reviews and 1 reply'. */
export function countsOf({ reviews, replies, reports, requests }: ExportedContent): string {
  const count = (rows: unknown[], one: string, many: string) => `${rows.length} ${rows.length === 1 ? one : many}`;
  return new Intl.ListFormat('en').format([
    count(reviews, 'review', 'reviews'),
    ...(replies.length > 0 ? [count(replies, 'reply', 'replies')] : []),
    ...(reports.length > 0 ? [count(reports, 'report', 'reports')] : []),
    ...(requests.length > 0 ? [count(requests, 'request', 'requests')] : []),
  ]);
}

export function toJson(content: ExportedContent): string {
  return `${JSON.stringify(content, null, 2)}\n`;
}

/**
 * Formats the reviews, the replies, the votes, the reports and the messages of requests as one table in CSV (RFC 4180). The byte order mark tells
 * spreadsheet programs that the encoding is UTF-8.
 */
export function toCsv({ reviews, replies, votes, reports, requests }: ExportedContent): string {
  const messages = requests.flatMap((request) => request.messages.map((message) => ({ request, message })));
  const rows = [
    columns.map(([name]) => name),
    ...reviews.map((review) => columns.map(([, value]) => value(review))),
    ...replies.map((reply) => columns.map(([name]) => replyColumns[name]?.(reply) ?? '')),
    ...votes.map((vote) => columns.map(([name]) => voteColumns[name]?.(vote) ?? '')),
    ...reports.map((report) => columns.map(([name]) => reportColumns[name]?.(report) ?? '')),
    ...messages.map((row) => columns.map(([name]) => messageColumns[name]?.(row) ?? '')),
  ];
  return `\uFEFF${rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')}`;
}

/**
 * Matches the places where a spreadsheet formula can start: the beginning of a cell, and after a character at which some
 * programs split cells. The sign at the end, such as `=`, is optional, so `cell` checks whether it was found. If the sign
 * were required, matching a text with many tabs or line breaks would need quadratic time.
 */
const formula = /((?:^|[;|\t\r\n])[\s"']*)([=+\-@＝＋－＠]?)/gu;

/** Formats a cell in quotes. Adds an apostrophe before a formula, so that spreadsheet programs show it as text. */
function cell(value: string): string {
  const inert = value.replaceAll(formula, (found, before: string, sign: string) =>
    sign ? `${before}'${sign}` : found,
  );
  return `"${inert.replaceAll('"', '""')}"`;
}
