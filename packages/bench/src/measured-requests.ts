import { createRequests } from './requests.ts';
import type { SeededStack } from './seeded-stack.ts';

export interface MeasuredRequest {
  name: string;
  kind: 'page' | 'search' | 'write';
  send: () => Promise<unknown>;
}

/** A request such as `GET /services/:id` is measured with at most this number of ids in turn. */
const maxIdCount = 30;

/**
 * Creates the requests to measure. They have the same names and the same order for every database. The request that adds
 * a review to the service with the most reviews comes last. After its response, the API may still recompute the summary
 * of this service, and this would delay another request.
 */
export async function createMeasuredRequests({ stack, db, customers }: SeededStack): Promise<MeasuredRequest[]> {
  const { regular, newcomer } = customers;
  const { get, send, deepPageOf } = await createRequests(stack.addresses, [regular, newcomer]);
  const idsOf = async (collection: string, filter: object) => {
    const pipeline = [
      { $sample: { size: 1000 } },
      { $match: filter },
      { $limit: maxIdCount },
      { $project: { _id: 1 } },
    ];
    return (await db.collection(collection).aggregate(pipeline).toArray()).map(({ _id }) => String(_id));
  };
  const hot = String((await db.collection('services').findOne({}, { sort: { reviewCount: -1 } }))?._id);
  const services = await idsOf('services', {});
  const ordinary = await idsOf('services', { reviewCount: { $gte: 21, $lt: 100 } });
  const reviews = await idsOf('reviews', { deletedAt: null });
  const own = await db.collection('reviews').findOne({ uid: regular.uid, deletedAt: null });
  const hotReviews = `/allreview?serviceId=${hot}`;
  const ownReviews = `/review?email=${encodeURIComponent(regular.email)}`;

  const requests: MeasuredRequest[] = [];
  const page = (name: string, send: MeasuredRequest['send']) => requests.push({ name, kind: 'page', send });
  const search = (name: string, path: string) => requests.push({ name, kind: 'search', send: get(path) });
  const write = (name: string, send: MeasuredRequest['send']) => requests.push({ name, kind: 'write', send });
  const getEach = (ids: readonly string[], pathOf: (id: string) => string) => {
    let count = 0;
    return () => get(pathOf(ids[count++ % ids.length] as string))();
  };

  for (const sort of ['newest', 'title', 'price', 'rating']) {
    page(`services by ${sort}`, get(`/services?sort=${sort}&limit=20`));
    page(`services by ${sort}, deep`, get(await deepPageOf(`/services?sort=${sort}`)));
  }
  page(
    'one service',
    getEach(services, (id) => `/services/${id}`),
  );
  page(
    'reviews of an ordinary service',
    getEach(ordinary, (id) => `/allreview?serviceId=${id}&limit=20`),
  );
  for (const sort of ['newest', 'useful', 'highest', 'lowest']) {
    page(`reviews of the hot service, ${sort}`, get(`${hotReviews}&sort=${sort}&limit=20`));
    page(`reviews of the hot service, ${sort}, deep`, get(await deepPageOf(`${hotReviews}&sort=${sort}`)));
  }
  page('reviews of the hot service with 5 stars', get(`${hotReviews}&rating=5&limit=20`));
  page('reviews of the hot service with 5 stars, useful', get(`${hotReviews}&rating=5&sort=useful&limit=20`));
  page(
    'one review',
    getEach(reviews, (id) => `/review/${id}`),
  );
  page('own reviews', get(`${ownReviews}&limit=20`, regular));
  page('own reviews, deep', get(await deepPageOf(ownReviews, regular), regular));
  page('own reviews of a service', get(`${ownReviews}&serviceId=${own?.serviceId}&limit=20`, regular));

  search('`q=hood 4711`', '/services?q=hood%204711&limit=20');
  search('`q=hood repair`', '/services?q=hood%20repair&limit=20');
  search('`q=hood repair`, deep', await deepPageOf('/services?q=hood%20repair'));
  search('`q=hood repair` by rating', '/services?q=hood%20repair&limit=20&sort=rating');
  search('`q=home away`', '/services?q=home%20away&limit=20');
  search('`q=home away`, deep', await deepPageOf('/services?q=home%20away'));
  search('`q=home away` by price', '/services?q=home%20away&limit=20&sort=price');
  search('`q=hod repiar`', '/services?q=hod%20repiar&limit=20');
  search('`q=c`', '/services?q=c&limit=20');
  search('`area=old town`', '/services?area=old%20town&limit=20');
  search('`q=hood&area=west bridge`', '/services?q=hood&area=west%20bridge&limit=20');
  for (const filter of ['minRating=4', 'contact=1', 'photos=1', 'minRating=5&contact=1&photos=1'])
    search(`\`${filter}\``, `/services?${filter}&limit=20`);
  search('areas', '/areas');
  search('`q=hood` in the reviews of the hot service', `${hotReviews}&q=hood&limit=20`);
  search('suggestions for `hood re`', '/services/suggestions?q=hood%20re');

  const addReview = (serviceId: string) =>
    send(newcomer, 'POST', '/review', { serviceId, review: 'Quick and clean', rating: 4 });
  const service = { title: 'Hood repair', price: '$100', ratting: '5', description: 'Quick and clean', img: '' };
  const [ordinaryId = hot] = ordinary;
  write('a new service', () => send(newcomer, 'POST', '/services', service));
  page('own services', get('/account/services?limit=20', newcomer));
  write('a review of an ordinary service', () => addReview(ordinaryId));
  const id = await addReview(ordinaryId);
  write('an edit of it', () => send(newcomer, 'PATCH', `/review/${id}`, { review: `Clean at ${Date.now()}` }));
  write('its deletion and restoring', async () => {
    await send(newcomer, 'DELETE', `/review/${id}`);
    await send(newcomer, 'POST', `/review/${id}/restore`);
  });
  write('a vote and its removal', async () => {
    await send(newcomer, 'PUT', `/review/${String(own?._id)}/useful`);
    await send(newcomer, 'DELETE', `/review/${String(own?._id)}/useful`);
  });
  write('a review of the hot service', () => addReview(hot));
  return requests;
}
