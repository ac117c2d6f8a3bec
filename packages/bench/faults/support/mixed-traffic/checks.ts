import type { Answer } from '../client.ts';
import type { Random } from '../figures.ts';
import type { createLists } from './lists.ts';
import { type Customer, isListed, isLive, type Json, type Model, type Review, type Service } from './model.ts';
import type { Requests } from './requests.ts';
import { describeDifference, ownReviewRow, reviewRow, serviceDetails, withoutShared } from './rows.ts';

/** The objects that the actions of a customer use. */
export interface Context {
  model: Model;
  requests: Requests;
  lists: ReturnType<typeof createLists>;
  checks: Checks;
  /** The random number generator of this customer. */
  random: Random;
}

/** An action of a customer. Returns false if the customer cannot do it now, for example because they have no review. */
export type Action = (customer: Customer) => Promise<unknown> | false;

type Timestamps = Partial<Pick<Service, 'createdAt' | 'updatedAt'>>;

export type Checks = ReturnType<typeof createChecks>;

export function createChecks(model: Model, { read, readPage }: Requests) {
  function compare(title: string, found: unknown, expected: Json, logs: readonly { log: string[] }[], isExact = true) {
    model.counts.checks += 1;
    if (!isExact) model.counts.overlapped += 1;
    const view = isExact ? (row: Json) => row : withoutShared;
    const difference = describeDifference(view(found as Json), view(expected));
    if (difference) model.reportDifference(`${title}: ${difference}`, logs);
  }

  return {
    compare,

    /** Returns whether the status of a write is one of `statuses`. If it is not, reports a difference. */
    isExpected({ status, text }: Answer, statuses: readonly number[], logs: readonly { log: string[] }[]): boolean {
      if (statuses.includes(status)) return true;
      model.reportDifference(`A write responded with ${status} instead of ${statuses.join(' or ')}: ${text}`, logs);
      return false;
    },

    /**
     * Reads a review as its author, as another customer or as a visitor, and compares the response with the expected
     * data. If a write may have overlapped the read, compares only the author's response, and in it only the fields that
     * no other customer can change.
     */
    async review(review: Review, customer?: Customer): Promise<void> {
      const { id, service, author } = review;
      const since = model.now();
      const { status, body } = await read(`/review/${id}`, customer);
      const isOwn = author === customer;
      const isExact = model.isUnchangedSince(service, since);
      if (!isExact && !isOwn) {
        model.counts.overlapped += 1;
        return;
      }
      const isVisible = service.reviews.has(id) && isLive(review) && (isOwn || isListed(service));
      const title = `GET /review/${id} of ${customer?.name ?? 'a visitor'}`;
      const logs = [service, author, ...(customer ? [customer] : [])];
      if (status !== (isVisible ? 200 : 404)) model.reportDifference(`${title} responded with ${status}`, logs);
      else if (isVisible)
        compare(title, body, isOwn ? ownReviewRow(review, customer) : reviewRow(review, customer), logs, isExact);
    },

    async service(service: Service, customer?: Customer): Promise<void> {
      const since = model.now();
      const { status, body } = await read(`/services/${service.id}`, customer);
      const isExact = model.isUnchangedSince(service, since);
      if (!isExact && service.lister !== customer) {
        model.counts.overlapped += 1;
        return;
      }
      const title = `GET /services/${service.id} of ${customer?.name ?? 'a visitor'}`;
      const logs = [service, ...(customer ? [customer] : [])];
      if (status !== (isListed(service) ? 200 : 404)) model.reportDifference(`${title} responded with ${status}`, logs);
      else if (isListed(service)) compare(title, body, serviceDetails(service), logs, isExact);
    },

    /** Reads the page of a service. It must have the title, or the status 404 if the service is withdrawn. */
    async page(service: Service): Promise<void> {
      const since = model.now();
      const { status, text } = await readPage(`/services/${service.id}`);
      if (!model.isUnchangedSince(service, since)) return;
      const title = `The page of service ${service.id}`;
      model.counts.checks += 1;
      if (status !== (isListed(service) ? 200 : 404))
        model.reportDifference(`${title} has status ${status}`, [service]);
      else if (isListed(service) && !text.includes(service.fields.title))
        model.reportDifference(`${title} lacks the title ${service.fields.title}`, [service]);
    },

    /**
     * Compares the list of a customer's own reports with the expected data. Ignores the author and the first words of the
     * content, which change with the content.
     */
    async reports(customer: Customer): Promise<void> {
      const { body } = await read('/account/reports?limit=100', customer);
      const found = (body as (Json & { target: Json })[]).map(({ target, ...report }) => {
        const { author: _author, excerpt: _excerpt, ...rest } = target;
        return { target: rest, ...report };
      });
      const timeOf = ({ createdAt }: Json) => String(createdAt);
      const expected = [...customer.reports.values()].toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : -1));
      compare(`The reports of ${customer.name}`, { reports: found }, { reports: expected }, [customer]);
    },

    /**
     * Returns the times of a row after a write, and checks those that the write has set (`names`). Each must be after
     * `previous`, and between `sentAt` and now. It may be after now only if it is `previous` plus 1 ms.
     */
    timesOf(row: Json, names: readonly (keyof Timestamps)[], sentAt: number, previous = ''): Required<Timestamps> {
      const { createdAt, updatedAt } = row as unknown as Required<Timestamps>;
      for (const name of names) {
        const time = Date.parse(String(row[name]));
        if (time >= sentAt && (time <= Date.now() || time === Date.parse(previous) + 1) && String(row[name]) > previous)
          continue;
        model.reportDifference(`${name} is wrong in ${JSON.stringify(row)}. It was ${previous} before.`, []);
      }
      return { createdAt, updatedAt };
    },
  };
}

/** Returns a random element, or undefined if there is none. */
export function pickFrom<T>(random: Random, items: Iterable<T>): T | undefined {
  const all = [...items];
  return all.length === 0 ? undefined : random.pick(all);
}
