import { isDeepStrictEqual } from 'node:util';
import { type Customer, isListed, isLive, type Json, type Review, type Service } from './model.ts';

type Compare = (a: Json, b: Json) => number;

/** Returns the review count, the stars and the average that a service must have. */
function summaryOf(service: Service) {
  const live = [...service.reviews.values()].filter(isLive);
  const starsByCustomer = new Map<Customer, number>();
  // If a customer has several reviews with stars, only the newest counts.
  for (const { author, stars, isByLister } of live.toSorted(isOlder))
    if (stars !== null && !isByLister) starsByCustomer.set(author, stars);
  const all = [...starsByCustomer.values()];
  const average = all.reduce((sum, stars) => sum + stars, 0) / all.length;
  return {
    reviewCount: live.length,
    ratingCount: all.length,
    averageRating: all.length === 0 ? null : Math.round(average * 100) / 100,
    distribution: Object.fromEntries([1, 2, 3, 4, 5].map((stars) => [stars, all.filter((s) => s === stars).length])),
    unansweredCount: live.filter(({ isByLister, reply }) => !isByLister && !reply).length,
  };
}

function isOlder(a: Review, b: Review): number {
  return compareText(a.createdAt, b.createdAt) || compareText(a.id, b.id);
}

/** Caches the results of `serviceRow`, because the comparison of one list needs the rows of all services. */
const cachedRows = new WeakMap<Service, { changedAt: number; row: Json }>();

/** Returns a service with the fields that it has in the lists of the API. */
export function serviceRow(service: Service): Json {
  const { id: _id, fields, listerName, listerId, createdAt, updatedAt, changedAt, runningWrites } = service;
  const cached = cachedRows.get(service);
  if (cached?.changedAt === changedAt && runningWrites === 0) return cached.row;
  const { reviewCount, ratingCount, averageRating } = summaryOf(service);
  const row = { _id, ...fields, listerName, listerId, createdAt, updatedAt, reviewCount, ratingCount, averageRating };
  if (runningWrites === 0) cachedRows.set(service, { changedAt, row });
  return row;
}

export const serviceDetails = (service: Service): Json => ({
  ...serviceRow(service),
  distribution: summaryOf(service).distribution,
});

export const ownServiceRow = (service: Service): Json => ({
  ...serviceRow(service),
  unansweredCount: summaryOf(service).unansweredCount,
});

/**
 * Returns a review as everyone can read it. If `reader` is given, also returns whether this customer marked the review
 * as useful.
 */
export function reviewRow(review: Review, reader?: Customer): Json {
  const { id: _id, service, author, copied, text, stars, isByLister, reply, time, date, createdAt, updatedAt } = review;
  return {
    _id,
    serviceId: service.id,
    ...copied,
    customer: author.name,
    costomerImg: author.photo,
    review: text,
    ...(stars !== null && { rating: stars }),
    ...(isByLister && { byLister: true }),
    ...(reply && { reply }),
    time,
    date,
    createdAt,
    updatedAt,
    usefulCount: review.voters.size,
    ...(reader && { isUsefulToMe: review.voters.has(reader) }),
  };
}

export function ownReviewRow(review: Review, reader?: Customer): Json {
  const { author, service } = review;
  return { ...reviewRow(review, reader), email: author.email, ...(!isListed(service) && { isUnlisted: true }) };
}

export function voteRow({ id, service, copied }: Review): Json {
  return { reviewId: id, serviceId: service.id, serviceName: copied.serviceName };
}

export const replyRow = (review: Review): Json => ({ ...review.reply, ...voteRow(review) });

const shared = new Set(
  'reply usefulCount isUsefulToMe isUnlisted reviewCount ratingCount averageRating distribution unansweredCount'.split(
    ' ',
  ),
);

/** Returns only the fields of a service or review that no other customer can change. */
export function withoutShared(row: Json): Json {
  return Object.fromEntries(Object.entries(row).filter(([name]) => !shared.has(name)));
}

/** Returns the fields that differ, with both values. Returns an empty text if the rows are equal. */
export function describeDifference(found: unknown, expected: Json): string {
  if (typeof found !== 'object' || found === null) return `${JSON.stringify(found)} instead of an object`;
  const row = found as Json;
  const names = [...new Set([...Object.keys(row), ...Object.keys(expected)])];
  return names
    .filter((name) => !isDeepStrictEqual(row[name], expected[name]))
    .map((name) => `${name} is ${JSON.stringify(row[name])} instead of ${JSON.stringify(expected[name])}`)
    .join(', ');
}

/** The id of a row. In the lists of votes and replies, it is the id of the review. */
export const idOf = (row: Json): string => String(row._id ?? row.reviewId);

const compareText = (a: unknown, b: unknown) => (String(a) === String(b) ? 0 : String(a) < String(b) ? -1 : 1);
const ascending =
  (valueOf: (row: Json) => number): Compare =>
  (a, b) => {
    const [left, right] = [valueOf(a), valueOf(b)];
    return left === right ? 0 : left < right ? -1 : 1;
  };
const reversed =
  (compare: Compare): Compare =>
  (a, b) =>
    compare(b, a);
const inOrder =
  (...compares: Compare[]): Compare =>
  (a, b) =>
    compares.reduce((result, compare) => result || compare(a, b), 0);

const byId: Compare = (a, b) => compareText(a._id, b._id);
export const newestFirst = inOrder(
  reversed((a, b) => compareText(a.createdAt, b.createdAt)),
  reversed(byId),
);
const priceOf = ({ price }: Json) => Number(/\d+/.exec(String(price))?.[0] ?? Infinity);
const ratingOf = ({ rating, byLister }: Json) => (byLister ? 0 : Number(rating ?? 0));

export const serviceOrders = {
  newest: newestFirst,
  title: inOrder((a, b) => compareText(String(a.title).toLowerCase(), String(b.title).toLowerCase()), byId),
  price: inOrder(ascending(priceOf), byId),
  rating: inOrder(reversed(ascending(({ averageRating }) => Number(averageRating ?? 0))), reversed(byId)),
} satisfies Record<string, Compare>;

export const reviewOrders = {
  newest: newestFirst,
  useful: inOrder(reversed(ascending(({ usefulCount }) => Number(usefulCount))), newestFirst),
  highest: inOrder(reversed(ascending(ratingOf)), newestFirst),
  lowest: inOrder(
    ascending((row) => ratingOf(row) || 6),
    newestFirst,
  ),
  unanswered: inOrder(
    ascending(({ reply, byLister }) => (reply || byLister ? 1 : 0)),
    newestFirst,
  ),
} satisfies Record<string, Compare>;

const wordsOf = (text: unknown) =>
  String(text)
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

/**
 * Scores a service for a search with one word or its beginning, like the API: the title is better than the area, and the
 * area is better than the description. A whole word is better than a beginning. Returns 0 if the service is not found.
 */
function scoreOf({ title, area, description }: Json, q: string): number {
  const scores = [description, area, title].map((text, field) => {
    const words: string[] = wordsOf(text);
    const form = words.includes(q) ? 4 : words.some((word) => word.startsWith(q)) ? 2 : 0;
    return form && 10 * (field + 1) + form;
  });
  return Math.max(...scores);
}

export const isFoundBy = (row: Json, q: string) => scoreOf(row, q) > 0;

/** Returns the order of the results of a search for one word. */
export const relevanceOrder = (q: string) =>
  inOrder(
    ascending((row) => -scoreOf(row, q)),
    newestFirst,
  );
