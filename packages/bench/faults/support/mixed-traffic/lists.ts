import { limits } from '@rtr/shared';
import {
  type Customer,
  isListed,
  isLive,
  type Json,
  type Model,
  type Review,
  type Service,
  type Tracked,
} from './model.ts';
import type { Requests } from './requests.ts';
import {
  describeDifference,
  idOf,
  isFoundBy,
  newestFirst,
  ownReviewRow,
  ownServiceRow,
  relevanceOrder,
  replyRow,
  reviewOrders,
  reviewRow,
  serviceOrders,
  serviceRow,
  voteRow,
  withoutShared,
} from './rows.ts';

/** A list that the API returns, and the rows that it must contain. */
export interface List {
  path: string;
  query: Record<string, string>;
  customer?: Customer | undefined;
  compare: (a: Json, b: Json) => number;
  rows: () => { row: Json; tracked: Tracked }[];
  /** Returns the service of a row, or `model.newServices` if `model` does not contain this service yet. */
  trackedOf: (row: Json) => Tracked;
  /**
   * Returns the services for which a write can add or remove rows of the list. A write of a review counts as a write of
   * its service. If new services can appear in the list, the array also contains `model.newServices`, which stands for
   * all of them. The array is empty if only the customer who reads the list can add or remove rows.
   */
  tracked: () => Tracked[];
}

export type ServiceSort = keyof typeof serviceOrders;
export type ReviewSort = keyof typeof reviewOrders;

export function createLists(model: Model) {
  const serviceOf = (row: Json): Tracked => model.services.get(String(row.serviceId)) ?? model.newServices;
  const tracked = (review: Review, row: Json) => ({ row, tracked: review.service });
  const listedServices = () => [...model.services.values()].filter(isListed);

  /**
   * A list whose rows belong to reviews, such as replies. The rows are sorted by the dates of the reviews, which the
   * rows do not contain.
   */
  const aboutReviews = (reviews: () => Review[], toRow: (review: Review) => Json) => {
    const keyOf = (row: Json) => {
      const review = model.services.get(String(row.serviceId))?.reviews.get(idOf(row));
      return { _id: idOf(row), createdAt: review?.createdAt };
    };
    return {
      compare: (a: Json, b: Json) => newestFirst(keyOf(a), keyOf(b)),
      rows: () => reviews().map((review) => tracked(review, toRow(review))),
      trackedOf: serviceOf,
    };
  };

  return {
    services: (query: Record<string, string>): List => {
      const { q, sort = q === undefined ? 'newest' : 'relevance' } = query;
      return {
        path: '/services',
        query,
        compare: sort === 'relevance' ? relevanceOrder(q ?? '') : serviceOrders[sort as ServiceSort],
        rows: () =>
          listedServices()
            .map((service) => ({ row: serviceRow(service), tracked: service }))
            .filter(({ row }) => q === undefined || isFoundBy(row, q)),
        trackedOf: (row) => model.services.get(idOf(row)) ?? model.newServices,
        tracked: () => [...model.services.values(), model.newServices],
      };
    },

    reviewsOf: (service: Service, query: Record<string, string>, customer?: Customer): List => {
      const { rating, sort = 'newest' } = query;
      return {
        path: '/allreview',
        query: { serviceId: service.id, ...query },
        customer,
        compare: reviewOrders[rating !== undefined && sort !== 'useful' ? 'newest' : (sort as ReviewSort)],
        rows: () =>
          (isListed(service) ? [...service.reviews.values()] : [])
            .filter((review) => isLive(review) && (rating === undefined || hasStars(review, Number(rating))))
            .map((review) => tracked(review, reviewRow(review, customer))),
        trackedOf: () => service,
        tracked: () => [service],
      };
    },

    ownReviews: (customer: Customer, query: Record<string, string>): List => ({
      path: '/review',
      query: { email: customer.email, ...query },
      customer,
      compare: newestFirst,
      rows: () => [...customer.reviews].filter(isLive).map((review) => tracked(review, ownReviewRow(review))),
      trackedOf: serviceOf,
      tracked: () => [],
    }),

    ownServices: (customer: Customer, query: Record<string, string>): List => ({
      path: '/account/services',
      query,
      customer,
      compare: newestFirst,
      rows: () =>
        [...customer.services].filter(isListed).map((service) => ({ row: ownServiceRow(service), tracked: service })),
      trackedOf: (row) => model.services.get(idOf(row)) ?? model.newServices,
      tracked: () => [],
    }),

    votes: (customer: Customer, query: Record<string, string>): List => ({
      path: '/account/votes',
      query,
      customer,
      ...aboutReviews(() => [...customer.votes].filter(isLive), voteRow),
      tracked: () => [...customer.votes].map(({ service }) => service),
    }),

    replies: (customer: Customer, query: Record<string, string>): List => ({
      path: '/account/replies',
      query,
      customer,
      ...aboutReviews(
        () =>
          [...customer.services]
            .flatMap(({ reviews }) => [...reviews.values()])
            .filter((review) => isLive(review) && review.reply),
        replyRow,
      ),
      tracked: () => [...customer.services],
    }),

    /** Reads up to `maxPages` pages of a list, compares each with the expected rows, and reports the differences. */
    async compare({ read }: Requests, list: List, maxPages = Infinity): Promise<void> {
      const { path, query, customer } = list;
      let search: string | undefined = new URLSearchParams(query).toString();
      let after: Json | undefined;
      let isStartKnown = true;
      for (let page = 0; page < maxPages && search !== undefined; page += 1) {
        const since = model.now();
        const address = `${path}?${search}`;
        const report = (text: string, tracked: Tracked[] = []) =>
          model.reportDifference(`GET ${address} ${text}`, [...(customer ? [customer] : []), ...tracked]);
        const { status, body, headers } = await read(address, customer);
        if (status !== 200) return report(`responded with ${status}: ${JSON.stringify(body)}`);
        const found = body as Json[];
        search = /^<\?(.*)>; rel="next"$/.exec(String(headers.link))?.[1];
        const hasNext = search !== undefined;
        const last = found.at(-1);
        // If there is a next page, the last row shows where this page ends. This does not hold for a search that returned too few
        // rows, because it left out a row that was withdrawn meanwhile. It also does not hold if others can change the list and
        // wrote the last row during the request: its values can be newer than its position.
        const isEndKnown =
          !hasNext ||
          ((query.q === undefined || found.length === Number(query.limit ?? limits.defaultPageSize)) &&
            (list.tracked().length === 0 || !last || model.isUnchangedSince(list.trackedOf(last), since)));
        comparePage({ model, list, found, after, areBoundsKnown: isStartKnown && isEndKnown, hasNext, since, report });
        const isExact = list.tracked().every((tracked) => model.isUnchangedSince(tracked, since));
        const total = headers['x-total-count'];
        // The API caches the number of all services for 5 s.
        const hasExactTotal = isExact && (path !== '/services' || query.q !== undefined);
        if (hasExactTotal && total !== undefined && Number(total) !== list.rows().length)
          report(`has the total ${String(total)} instead of ${list.rows().length}`, list.tracked().slice(0, 1));
        model.counts.checks += 1;
        if (!isExact) model.counts.overlapped += 1;
        after = last;
        isStartKnown = isEndKnown;
      }
    },
  };
}

const hasStars = ({ stars, isByLister }: Review, rating: number) => stars === rating && !isByLister;

interface Page {
  model: Model;
  list: List;
  found: readonly Json[];
  /** The last row of the previous page. Undefined for the first page. */
  after: Json | undefined;
  /** False if it is not known where the page begins and ends. Missing rows are then not reported. */
  areBoundsKnown: boolean;
  hasNext: boolean;
  /** The value of `model.now()` before the request was sent. */
  since: number;
  report: (text: string, tracked: Tracked[]) => void;
}

/**
 * Compares a page with the expected rows. Reports rows that are wrong, missing, too many, or at a wrong position. If a row
 * was written during the request, it is compared only in the lists of the reader's own reviews and services. There, only
 * the fields that no other customer can change are compared.
 */
function comparePage({ model, list, found, after, areBoundsKnown, hasNext, since, report }: Page): void {
  const expected = new Map(list.rows().map((entry) => [idOf(entry.row), entry]));
  const isExact = (tracked: Tracked) => model.isUnchangedSince(tracked, since);
  const isOwn = list.tracked().length === 0;
  let previous = areBoundsKnown ? after : undefined;
  for (const row of found) {
    const entry = expected.get(idOf(row));
    const tracked = entry?.tracked ?? list.trackedOf(row);
    if (!isExact(tracked) && !isOwn) continue;
    const view = isExact(tracked) ? (json: Json) => json : withoutShared;
    const wrong = entry && describeDifference(view(row), view(entry.row));
    if (!entry) report(`contains a row too many: ${JSON.stringify(row)}`, [tracked]);
    else if (wrong) report(`contains ${idOf(row)}: ${wrong}`, [tracked]);
    if (previous && list.compare(previous, row) >= 0) report(`has ${idOf(row)} at the wrong position`, [tracked]);
    previous = row;
  }
  if (!areBoundsKnown) return;
  const foundIds = new Set(found.map(idOf));
  const last = found.at(-1);
  for (const { row, tracked } of expected.values()) {
    if (foundIds.has(idOf(row)) || (!isOwn && !isExact(tracked))) continue;
    if (after && list.compare(row, after) <= 0) continue;
    if (hasNext && last && list.compare(row, last) > 0) continue;
    report(`lacks ${JSON.stringify(row)}`, [tracked]);
  }
}
