import { type Action, type Context, pickFrom } from './checks.ts';
import { randomSearch } from './content.ts';
import type { List } from './lists.ts';
import { isListed, type Service } from './model.ts';

const maxPages = 3;

/** The reads of customers and visitors. Each response is compared with the expected data in `model`. */
export function createBrowseActions(context: Context) {
  const { model, requests, lists, checks, random } = context;
  const isTrue = () => random.fraction() < 0.5;
  const limit = () => String(random.pick([1, 3, 10, 20, 100]));

  const compare = (list: List, pageCount = maxPages) => lists.compare(requests, list, pageCount);

  return {
    services: () => {
      const sort = random.pick(['newest', 'title', 'price', 'rating']);
      return compare(lists.services({ sort, limit: limit() }));
    },

    search: () => {
      const sort = random.pick(['relevance', 'newest', 'title', 'price', 'rating']);
      return compare(lists.services({ q: randomSearch(random), sort, limit: limit() }));
    },

    /** Reads suggestions for a search. Suggested services must be listed. */
    suggestions: async () => {
      const since = model.now();
      const path = `/services/suggestions?q=${randomSearch(random)}`;
      const { body } = await requests.read(path);
      const services = [...model.services.values()];
      const titlesOf = (service: Service) => {
        if (!model.isUnchangedSince(service, since)) return service.versions.map(({ title }) => title);
        return isListed(service) ? [service.fields.title] : [];
      };
      const titles = new Set(services.flatMap(titlesOf));
      const isAnyTitle = !model.isUnchangedSince(model.newServices, since);
      model.counts.checks += 1;
      for (const { kind, text: title } of body as { kind: string; text: string }[])
        if (kind === 'service' && !isAnyTitle && !titles.has(title))
          model.reportDifference(`GET ${path} contains ${title}`, services);
    },

    service: () => {
      const service = pickFrom(random, model.services.values());
      return service ? checks.service(service) : false;
    },

    reviews: (customer) => {
      const service = pickFrom(random, model.services.values());
      if (!service) return false;
      const sort = random.pick(['newest', 'useful', 'highest', 'lowest', 'unanswered']);
      const query = { sort, limit: limit(), ...(isTrue() && { rating: String(random.integer(1, 5)) }) };
      return compare(lists.reviewsOf(service, query, isTrue() ? customer : undefined));
    },

    review: (customer) => {
      const review = pickFrom(random, pickFrom(random, model.services.values())?.reviews.values() ?? []);
      return review ? checks.review(review, isTrue() ? customer : undefined) : false;
    },

    /** Reads a page of the web server. */
    page: async () => {
      if (isTrue()) {
        const path = random.pick(['/', '/services', `/services?q=${randomSearch(random)}`]);
        const { status } = await requests.readPage(path, '');
        if (status !== 200) model.reportDifference(`The page ${path} responded with ${status}`, []);
        return;
      }
      const service = pickFrom(random, model.services.values());
      if (service) await checks.page(service);
    },

    /**
     * Reads a list of the customer's own content. If the list of reviews is requested without a limit, the API streams
     * all reviews of the customer.
     */
    ownLists: (customer) => {
      const page = { limit: limit() };
      return random.pick([
        () => compare(lists.ownReviews(customer, isTrue() ? {} : page), Infinity),
        () => compare(lists.ownServices(customer, page), Infinity),
        () => compare(lists.votes(customer, page), Infinity),
        () => compare(lists.replies(customer, page), Infinity),
        () => checks.reports(customer),
      ])();
    },
  } satisfies Record<string, Action>;
}
