import { type AreaCount, emptyService, type Lister, type Review, type ServiceDetails } from '@rtr/shared';
import { HttpResponse, http } from 'msw';
import { api, problem } from './api.ts';

let made = 0;
const newId = () => {
  made += 1;
  return made.toString(16).padStart(24, '0');
};

export function aService(given: Partial<ServiceDetails> = {}): ServiceDetails {
  return {
    ...emptyService,
    _id: newId(),
    title: 'Hood repair',
    ratting: '4.8 / 5',
    img: '/pictures/hood-repair-filters.svg',
    price: 'from $120',
    description: 'Filters, fans and lamps.',
    listerName: '',
    listerId: '',
    createdAt: '2026-10-01T10:00:00.000Z',
    updatedAt: '2026-10-01T10:00:00.000Z',
    reviewCount: 0,
    ratingCount: 0,
    averageRating: null,
    distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 },
    ...given,
  };
}

export function aLister(given: Partial<Lister> = {}): Lister {
  return {
    _id: newId(),
    name: 'Mina Duct',
    picture: '',
    createdAt: '2026-03-04T10:00:00.000Z',
    reviewCount: 0,
    ratingCount: 0,
    averageRating: null,
    replyShare: null,
    ...given,
  };
}

export function aReview(service: ServiceDetails, given: Partial<Review> = {}): Review {
  return {
    _id: newId(),
    serviceId: service._id,
    serviceName: service.title,
    price: service.price,
    img: service.img,
    customer: 'Amira Haddad',
    costomerImg: '/pictures/avatar-1.svg',
    review: 'The rattle is gone.',
    rating: 5,
    time: '10:42:07 AM',
    date: '11/3/2026',
    createdAt: '2026-11-03T10:42:07.000Z',
    updatedAt: '2026-11-03T10:42:07.000Z',
    usefulCount: 0,
    ...given,
  };
}

/**
 * Fakes an API with these services and reviews. The signed-in customer has written none of the reviews. Returns the query
 * strings of the requests to `/services` and `/allreview`, in the order of the requests.
 */
export function serve(
  services: ServiceDetails[],
  reviews: Review[] = [],
  areas: AreaCount[] = [],
): { lists: string[] } {
  const lists: string[] = [];
  api.use(
    http.get('/api/services', ({ request }) => {
      const { searchParams: query } = new URL(request.url);
      lists.push(query.toString());
      const words = (query.get('q') ?? '').toLowerCase().split(' ').filter(Boolean);
      const found = services.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
      return page(request, query.get('sort') === 'title' ? found.toSorted(byTitle) : found);
    }),
    http.get('/api/areas', () => HttpResponse.json(areas)),
    http.get('/api/services/:id', ({ params }) => {
      const service = services.find(({ _id }) => _id === params.id);
      return service ? HttpResponse.json(service) : problem(404, 'There is no such service.');
    }),
    http.get('/api/listers/:id', ({ params }) => HttpResponse.json(aLister({ _id: String(params.id) }))),
    http.get('/api/listers/:id/services', ({ request }) => page(request, services)),
    http.get('/api/listers/:id/reviews', ({ request }) => page(request, reviews)),
    http.get('/api/review', () => HttpResponse.json([])),
    http.get('/api/review/:id', ({ params }) => {
      const review = reviews.find(({ _id }) => _id === params.id);
      return review ? HttpResponse.json(review) : problem(404, 'There is no review with this id.');
    }),
    http.get('/api/allreview', ({ request }) => {
      const { searchParams: query } = new URL(request.url);
      lists.push(query.toString());
      const rating = query.get('rating');
      const found = reviews.filter(
        (review) =>
          review.serviceId === query.get('serviceId') &&
          (!rating || String(review.rating) === rating) &&
          (!query.has('photos') || review.photos) &&
          review.review.includes(query.get('q') ?? ''),
      );
      return page(request, query.get('sort') === 'lowest' ? found.toSorted(byStars) : found);
    }),
  );
  return { lists };
}

const byTitle = (one: { title: string }, other: { title: string }) => one.title.localeCompare(other.title);
const byStars = (one: Review, other: Review) => (one.rating ?? 0) - (other.rating ?? 0);

function page(request: Request, rows: object[]) {
  const { pathname, searchParams } = new URL(request.url);
  const [from, limit] = [Number(searchParams.get('after') ?? 0), Number(searchParams.get('limit') ?? 20)];
  const headers: Record<string, string> = rows.length > 10_000 ? {} : { 'X-Total-Count': String(rows.length) };
  if (from + limit < rows.length) {
    searchParams.set('after', String(from + limit));
    headers.Link = `<${pathname}?${searchParams.toString()}>; rel="next"`;
  }
  return HttpResponse.json(rows.slice(from, from + limit), { headers });
}
