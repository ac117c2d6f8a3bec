import type { ServiceInput } from '@rtr/shared';

/** A JSON object of a request or a response. */
export type Json = Readonly<Record<string, unknown>>;

/** Tracks the writes of a service and its reviews, so that a reader knows whether a write overlapped its request. */
export interface Tracked {
  /** The newest writes, as lines of text. If a response is not as expected, the test prints these lines with it. */
  log: string[];
  runningWrites: number;
  /** The value of `model.now()` when a write last started or ended. */
  changedAt: number;
}

export interface Customer {
  index: number;
  /** Increases when the customer closes their account and signs up again with the same email. */
  generation: number;
  name: string;
  photo: string;
  uid: string;
  email: string;
  token: string;
  /** The client address of all requests of this customer. */
  address: string;
  services: Set<Service>;
  reviews: Set<Review>;
  votes: Set<Review>;
  /** The reports of this customer as the API returned them, by the kind and the id of their targets. */
  reports: Map<string, Json>;
  /** The number of reports that the API accepted. A report that replaces an earlier one counts too. */
  reportCount: number;
  log: string[];
}

export type ServiceFields = Readonly<ServiceInput>;

export interface Service extends Tracked {
  id: string;
  /** Null if the account of the lister was closed. */
  lister: Customer | null;
  listerName: string;
  /** The public id of the lister. Empty if the account of the lister was closed. */
  listerId: string;
  fields: ServiceFields;
  /**
   * The current fields and all earlier ones. A review that is added during an edit may copy the fields from before or
   * from after the edit.
   */
  versions: ServiceFields[];
  createdAt: string;
  updatedAt: string;
  /** The time of the withdrawal in milliseconds since 1970. Null while the service is listed. */
  withdrawnAt: number | null;
  /** All reviews by their ids, including deleted ones. */
  reviews: Map<string, Review>;
}

export interface Reply {
  text: string;
  name: string;
  createdAt: string;
  updatedAt: string;
}

export interface Review {
  id: string;
  service: Service;
  author: Customer;
  /** True if the author listed the service. Then the stars do not count. */
  isByLister: boolean;
  /** The fields that the review copied from the service. */
  copied: Readonly<Record<'serviceName' | 'price' | 'img', string>>;
  text: string;
  stars: number | null;
  time: string;
  date: string;
  createdAt: string;
  updatedAt: string;
  /** The time of the deletion in milliseconds since 1970. Null if the review is not deleted. */
  deletedAt: number | null;
  reply: Reply | undefined;
  /** The last reply that was deleted. If the lister sends the same text again, it is restored. */
  deletedReply: Reply | undefined;
  voters: Set<Customer>;
}

export type Model = ReturnType<typeof createModel>;

const maxLogLines = 40;

/** Creates the model: the data that the test expects in the API, which are the results of the acknowledged writes. */
export function createModel() {
  const startedAt = performance.now();
  /** A logical clock: the number of starts and ends of writes so far. */
  let clock = 0;
  const differences: string[] = [];
  const counts = { actions: 0, requests: 0, checks: 0, overlapped: 0, repeatedPages: 0 };
  const services = new Map<string, Service>();
  const customers = new Set<Customer>();
  const closed: Pick<Customer, 'name' | 'uid' | 'email' | 'token'>[] = [];
  /** Tracks the running insertions of services. Meanwhile, a list may contain a service that is not in `services` yet. */
  const newServices: Tracked = { log: [], runningWrites: 0, changedAt: 0 };

  return {
    services,
    customers,
    closed,
    newServices,
    counts,
    differences,
    now: () => clock,

    /**
     * True if no write of the row is running, and none has started or ended after `since`, which is a value of `now()`.
     */
    isUnchangedSince: ({ runningWrites, changedAt }: Tracked, since: number) =>
      runningWrites === 0 && changedAt <= since,

    /**
     * Calls `run`, which writes rows through the API and then updates the model. `isAlone` returns true if no other
     * write of these rows has overlapped this write so far.
     */
    async write<T>(rows: Iterable<Tracked>, run: (isAlone: () => boolean) => Promise<T>): Promise<T> {
      const tracked = [...new Set(rows)];
      const isQuiet = tracked.every(({ runningWrites }) => runningWrites === 0);
      clock += 1;
      const since = clock;
      for (const row of tracked) Object.assign(row, { runningWrites: row.runningWrites + 1, changedAt: clock });
      try {
        return await run(() => isQuiet && tracked.every(({ changedAt }) => changedAt <= since));
      } finally {
        clock += 1;
        for (const row of tracked) Object.assign(row, { runningWrites: row.runningWrites - 1, changedAt: clock });
      }
    },

    /**
     * Adds a line to each of these logs. Every service and every customer has a log. If a response is not as expected, the
     * report contains the logs of its services and customers.
     */
    note(line: string, logs: Iterable<{ log: string[] }>): void {
      const entry = `${((performance.now() - startedAt) / 1000).toFixed(3)} s ${line}`;
      for (const { log } of new Set(logs)) {
        log.push(entry);
        if (log.length > maxLogLines) log.shift();
      }
    },

    reportDifference(text: string, logs: Iterable<{ log: string[] }>): void {
      const actions = [...new Set([...logs].flatMap(({ log }) => log))].toSorted(byTime);
      differences.push([text, ...actions.map((line) => `  ${line}`)].join('\n'));
    },

    /** Removes the account of a customer, with its reviews, replies, votes and reports. Its services stay without a lister. */
    closeAccount(customer: Customer): void {
      for (const review of customer.reviews) {
        review.service.reviews.delete(review.id);
        for (const voter of review.voters) voter.votes.delete(review);
      }
      for (const review of customer.votes) review.voters.delete(customer);
      for (const service of customer.services) {
        service.lister = null;
        service.listerName = '';
        service.listerId = '';
        service.fields = { ...service.fields, phone: '', website: '', hours: '', licence: '', insured: '' };
        for (const review of service.reviews.values()) review.reply = undefined;
      }
      customers.delete(customer);
      closed.push(customer);
    },
  };
}

const byTime = (a: string, b: string) => Number.parseFloat(a) - Number.parseFloat(b);

export const isLive = ({ deletedAt }: Review) => deletedAt === null;
export const isListed = ({ withdrawnAt }: Service) => withdrawnAt === null;
