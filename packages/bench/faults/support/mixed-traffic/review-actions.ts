import { randomUUID } from 'node:crypto';
import { type Action, type Context, pickFrom } from './checks.ts';
import { randomText } from './content.ts';
import { type Customer, isListed, isLive, type Json, type Review, type Service, type ServiceFields } from './model.ts';
import { ownReviewRow } from './rows.ts';
import { restoreWithinMs } from './service-actions.ts';

/** Lower than the quota of reviews of one customer for one service, so that the API rejects no review. */
const maxLiveReviews = 5;
/**
 * The number of popular services. At least half of the new reviews are about them, so that writes of different
 * customers overlap.
 */
const popularServiceCount = 15;

const { parse } = JSON;

/** The actions that change reviews. After a write, the author reads the review again. */
export function createReviewActions(context: Context) {
  const { model, requests, checks, random } = context;
  const pickOwn = ({ reviews }: Customer) => pickFrom(random, [...reviews].filter(isLive));
  const hasRoom = (customer: Customer, service: Service) =>
    [...customer.reviews].filter((review) => review.service === service && isLive(review)).length < maxLiveReviews;

  /** Reads a review after a write of its author, and compares it with the expected data. */
  async function readBack(review: Review, sentAt: number | undefined, isAlone: () => boolean): Promise<void> {
    const { id, author, service } = review;
    const { status, body } = await requests.read(`/review/${id}`, author);
    const logs = [author, service];
    if (status !== 200) {
      model.reportDifference(`GET /review/${id} responded with ${status} after a write`, logs);
      return;
    }
    if (sentAt !== undefined)
      Object.assign(review, checks.timesOf(body as Json, ['updatedAt'], sentAt, review.updatedAt));
    checks.compare(`GET /review/${id} after a write`, body, ownReviewRow(review, author), logs, isAlone());
  }

  /**
   * Returns the values of the service that a new review must contain. If the service may have been edited at the same
   * time, the values of each of its versions are correct, so returns those that the review contains.
   */
  function copiesOf(service: Service, found: Json, isAlone: boolean): Review['copied'] {
    const toCopies = ({ title: serviceName, price, img }: ServiceFields) => ({ serviceName, price, img });
    const isFound = (copied: Review['copied']) =>
      Object.entries(copied).every(([name, value]) => found[name] === value);
    const versions = isAlone ? [service.fields] : service.versions;
    return versions.map(toCopies).find(isFound) ?? toCopies(service.fields);
  }

  async function add(customer: Customer, service: Service): Promise<void> {
    const stars = random.fraction() < 0.8 ? random.integer(1, 5) : null;
    const content = { review: randomText(random), time: '10:15 AM', date: random.pick(['11/22/2026', '২২/১১/২০২৬']) };
    const body = { serviceId: service.id, ...content, ...(stars !== null && { rating: stars }) };
    const headers = { 'Idempotency-Key': randomUUID() };
    const logs = [customer, service];
    await model.write([service], async (isAlone) => {
      const wasListed = isListed(service);
      const sentAt = Date.now();
      const answer = await requests.send(customer, 'POST', '/review', { body, headers, about: [service] });
      if (!checks.isExpected(answer, isAlone() ? [wasListed ? 201 : 404] : [201, 404], logs)) return;
      if (answer.status === 404) return;
      const { insertedId: id } = parse(answer.text) as { insertedId: string };
      const found = await requests.read(`/review/${id}`, customer);
      const { review: text, time, date } = content;
      const review: Review = {
        id,
        service,
        author: customer,
        isByLister: service.lister === customer,
        text,
        stars,
        time,
        date,
        copied: copiesOf(service, found.body as Json, isAlone()),
        ...checks.timesOf(found.body as Json, ['createdAt', 'updatedAt'], sentAt),
        deletedAt: null,
        reply: undefined,
        deletedReply: undefined,
        voters: new Set(),
      };
      service.reviews.set(id, review);
      customer.reviews.add(review);
      const title = `GET /review/${id} after POST`;
      checks.compare(title, found.body, ownReviewRow(review, customer), logs, isAlone());
      if (random.fraction() > 0.1) return;
      const repeated = await requests.send(customer, 'POST', '/review', { body, headers, about: [service] });
      if (checks.isExpected(repeated, [201], logs))
        checks.compare('the repeated POST /review', parse(repeated.text), parse(answer.text) as Json, logs);
    });
  }

  return {
    add: (customer) => {
      const services = [...model.services.values()];
      const service = random.pick(random.fraction() < 0.5 ? services.slice(0, popularServiceCount) : services);
      return hasRoom(customer, service) && add(customer, service);
    },

    edit: (customer) => {
      const review = pickOwn(customer);
      if (!review) return false;
      const { service } = review;
      const text = random.fraction() < 0.7 ? randomText(random) : undefined;
      const stars = text === undefined || random.fraction() < 0.5 ? random.pick([null, 1, 2, 3, 4, 5]) : undefined;
      const body = { ...(text !== undefined && { review: text }), ...(stars !== undefined && { rating: stars }) };
      return model.write([service], async (isAlone) => {
        const sentAt = Date.now();
        const answer = await requests.send(customer, 'PATCH', `/review/${review.id}`, { body, about: [service] });
        if (!checks.isExpected(answer, [200], [customer, service])) return;
        if (text !== undefined) review.text = text;
        if (stars !== undefined) review.stars = stars;
        await readBack(review, sentAt, isAlone);
      });
    },

    delete: (customer) => {
      const review = pickOwn(customer);
      if (!review) return false;
      const { id, service } = review;
      return model.write([service], async () => {
        const answer = await requests.send(customer, 'DELETE', `/review/${id}`, { about: [service] });
        if (!checks.isExpected(answer, [200], [customer, service])) return;
        checks.compare('DELETE', parse(answer.text), { acknowledged: true, deletedCount: 1 }, [customer, service]);
        review.deletedAt = Date.now();
        const { status } = await requests.read(`/review/${id}`, customer);
        if (status !== 404) model.reportDifference(`A deleted review responded with ${status}`, [customer, service]);
      });
    },

    restore: (customer) => {
      const isRecent = ({ deletedAt, service }: Review) =>
        deletedAt !== null && Date.now() - deletedAt < restoreWithinMs && hasRoom(customer, service);
      const review = pickFrom(random, [...customer.reviews].filter(isRecent));
      if (!review) return false;
      const { id, service } = review;
      return model.write([service], async (isAlone) => {
        const answer = await requests.send(customer, 'POST', `/review/${id}/restore`, { about: [service] });
        if (!checks.isExpected(answer, [200], [customer, service])) return;
        const restored = { acknowledged: true, matchedCount: 1, modifiedCount: 1 };
        checks.compare('restore', parse(answer.text), restored, [customer, service]);
        review.deletedAt = null;
        await readBack(review, undefined, isAlone);
      });
    },

    /** Tries to change the review of another customer. */
    changeOther: (customer) => {
      const service = pickFrom(random, [...model.services.values()].filter(isListed));
      const reviews = [...(service?.reviews.values() ?? [])];
      const review = pickFrom(
        random,
        reviews.filter(({ author, deletedAt }) => author !== customer && !deletedAt),
      );
      if (!service || !review) return false;
      return model.write([service], async (isAlone) => {
        const [method, path, body] = random.pick([
          ['PATCH', `/review/${review.id}`, { review: 'Not mine' }],
          ['DELETE', `/review/${review.id}`, undefined],
          ['POST', `/review/${review.id}/restore`, undefined],
        ] as const);
        const answer = await requests.send(customer, method, path, { ...(body && { body }), about: [service] });
        checks.isExpected(answer, isAlone() ? [403] : [403, 404], [customer, service]);
      });
    },
  } satisfies Record<string, Action>;
}
