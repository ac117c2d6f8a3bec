import { type Action, type Context, pickFrom } from './checks.ts';
import { randomText } from './content.ts';
import { type Customer, isListed, isLive, type Json, type Reply, type Review, type Service } from './model.ts';

/** The API allows 20 reports a day. */
const maxReports = 20;

const { parse } = JSON;

/** The actions of customers on the content of others: votes, replies and reports. */
export function createReactionActions(context: Context) {
  const { model, requests, checks, random } = context;

  /** Picks a review of another customer. Its service may be withdrawn. In one of 10 calls, it may be a deleted review. */
  function pickReview(customer: Customer): Review | undefined {
    const service = pickFrom(random, model.services.values());
    const others = [...(service?.reviews.values() ?? [])].filter(({ author }) => author !== customer);
    return pickFrom(random, random.fraction() < 0.1 ? others : others.filter(isLive));
  }

  async function vote(customer: Customer, review: Review, isUseful: boolean): Promise<void> {
    const { id, service } = review;
    const logs = [customer, service];
    await model.write([service], async (isAlone) => {
      const canVote = (isLive(review) && isListed(service)) || (!isUseful && customer.votes.has(review));
      const answer = await requests.send(customer, isUseful ? 'PUT' : 'DELETE', `/review/${id}/useful`, {
        about: [service],
      });
      if (!checks.isExpected(answer, isAlone() ? [canVote ? 200 : 404] : [200, 404], logs)) return;
      // If the author has closed their account, the review is erased.
      if (answer.status === 404 || !service.reviews.has(id)) return;
      if (isUseful) review.voters.add(customer);
      else review.voters.delete(customer);
      if (isUseful) customer.votes.add(review);
      else customer.votes.delete(review);
      const expected = { usefulCount: review.voters.size, isUsefulToMe: isUseful };
      if (isAlone()) checks.compare('the vote', parse(answer.text), expected, logs);
    });
  }

  /**
   * Compares the reply in the response to a write (`found`) with `expected`, and returns it. If `createdAt` or
   * `updatedAt` is missing in `expected`, the write has set it, so it must be between `sentAt` and now.
   */
  function checkReply(found: Reply, expected: Partial<Reply>, sentAt: number, logs: { log: string[] }[]): Reply {
    const isNew = (time: string) => Date.parse(time) >= sentAt && Date.parse(time) <= Date.now();
    const { createdAt, updatedAt } = found;
    const times = {
      createdAt: expected.createdAt ?? (isNew(createdAt) ? createdAt : 'a new time'),
      updatedAt: expected.updatedAt ?? (isNew(updatedAt) ? updatedAt : 'a new time'),
    };
    checks.compare('the reply', found, { ...expected, ...times }, logs);
    return found;
  }

  /** Picks a review of one of the customer’s listed services. */
  function pickReviewOfOwnService(customer: Customer, filter: (review: Review) => unknown): Review | undefined {
    const services = [...customer.services].filter(isListed);
    const reviews = services.flatMap((service) => [...service.reviews.values()]);
    return pickFrom(
      random,
      reviews.filter((review) => isLive(review) && !review.isByLister && filter(review)),
    );
  }

  return {
    vote: (customer) => {
      const review = pickReview(customer);
      return review ? vote(customer, review, true) : false;
    },

    removeVote: (customer) => {
      const review = random.fraction() < 0.8 ? pickFrom(random, customer.votes) : pickReview(customer);
      return review ? vote(customer, review, false) : false;
    },

    reply: (customer) => {
      const review = pickReviewOfOwnService(customer, () => true);
      if (!review) return false;
      const { id, service, reply: previous, deletedReply } = review;
      const logs = [customer, service];
      const text = deletedReply && random.fraction() < 0.7 ? deletedReply.text : `Thank you! ${randomText(random)}`;
      return model.write([service], async (isAlone) => {
        const sentAt = Date.now();
        const sent = { body: { text }, about: [service] };
        const answer = await requests.send(customer, 'PUT', `/review/${id}/reply`, sent);
        if (!checks.isExpected(answer, isAlone() ? [200] : [200, 404], logs)) return;
        if (answer.status === 404 || !service.reviews.has(id)) return;
        const name = customer.name;
        const expected: Partial<Reply> =
          previous?.text === text
            ? previous
            : previous
              ? { text, name, createdAt: previous.createdAt }
              : deletedReply?.text === text
                ? deletedReply
                : { text, name };
        review.reply = checkReply(parse(answer.text) as Reply, expected, sentAt, logs);
        review.deletedReply = undefined;
      });
    },

    deleteReply: (customer) => {
      const review = pickReviewOfOwnService(customer, ({ reply }) => reply);
      if (!review) return false;
      const { id, service } = review;
      return model.write([service], async (isAlone) => {
        const answer = await requests.send(customer, 'DELETE', `/review/${id}/reply`, { about: [service] });
        if (!checks.isExpected(answer, isAlone() ? [200] : [200, 404], [customer, service])) return;
        if (answer.status === 404) return;
        review.deletedReply = review.reply;
        review.reply = undefined;
      });
    },

    report: (customer) => {
      const review = random.fraction() < 0.5 ? pickReview(customer) : undefined;
      const others = [...model.services.values()].filter(({ lister }) => lister !== customer);
      const service = review?.service ?? pickFrom(random, others);
      if (!service || customer.reportCount >= maxReports) return false;
      return report(customer, service, review);
    },
  } satisfies Record<string, Action>;

  async function report(customer: Customer, service: Service, review: Review | undefined): Promise<void> {
    const kind = review ? 'review' : 'service';
    const { id } = review ?? service;
    const logs = [customer, service];
    const body = { reason: random.pick(['spam', 'abuse', 'private', 'fake', 'other']), text: randomText(random) };
    await model.write([service], async (isAlone) => {
      const isVisible = isListed(service) && (!review || isLive(review));
      const sentAt = Date.now();
      const path = review ? `/review/${id}/report` : `/services/${id}/report`;
      const answer = await requests.send(customer, 'POST', path, { body, about: [service] });
      const key = `${kind}-${id}`;
      const success = customer.reports.has(key) ? 200 : 201;
      if (!checks.isExpected(answer, isAlone() ? [isVisible ? success : 404] : [success, 404], logs)) return;
      if (answer.status === 404) return;
      customer.reportCount += 1;
      const found = parse(answer.text) as Json & { target: { title: string }; createdAt: string };
      const current = review ? review.copied.serviceName : service.fields.title;
      const versions = isAlone() || review ? [current] : service.versions.map((fields) => fields.title);
      const title = versions.find((version) => version === found.target.title) ?? current;
      const isInTime = Date.parse(found.createdAt) >= sentAt && Date.parse(found.createdAt) <= Date.now();
      const createdAt = isInTime ? found.createdAt : 'a new time';
      const target = { kind, id, serviceId: service.id, title };
      checks.compare('the report', found, { target, about: kind, ...body, createdAt, status: 'open' }, logs);
      customer.reports.set(key, found);
    });
  }
}
