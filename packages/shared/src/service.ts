import * as z from 'zod/mini';
import { after, id, limit, pictureUrl, text, timestamp } from './fields.ts';

/** What a customer says of a service they list. Nothing is required. */
export const serviceInput = z.strictObject({
  title: z._default(text(120), ''),
  /** The lister's own rating, free text. The wire's spelling, kept on the wire and nowhere else. */
  ratting: z._default(text(40), ''),
  img: z._default(pictureUrl, ''),
  /** Free text, such as 'from $1,200'. */
  price: z._default(text(40), ''),
  description: z._default(text(5000), ''),
});

/** A service as anyone may read it. */
export const service = z.strictObject({
  _id: id,
  title: z.string(),
  ratting: z.string(),
  img: z.string(),
  price: z.string(),
  description: z.string(),
  createdAt: timestamp,
  /** Live reviews of this service. */
  reviewCount: z.int().check(z.gte(0)),
  /** Customers whose newest rated review counts. */
  ratingCount: z.int().check(z.gte(0)),
  /** Mean of those ratings, 1 to 5, to two decimals; null while there are none. */
  averageRating: z.nullable(z.number().check(z.gte(1), z.lte(5))),
});

/** How many of the counted ratings gave each number of stars. */
export const starDistribution = z.strictObject({
  1: z.int(),
  2: z.int(),
  3: z.int(),
  4: z.int(),
  5: z.int(),
});

/** One service with its star distribution. */
export const serviceDetails = z.extend(service, { distribution: starDistribution });

export const serviceSort = z.enum(['newest', 'title', 'price', 'rating']);

/** With none of these the answer is every service, streamed. `q`, `sort` or `after` without `limit` means 20. */
export const serviceQuery = z.strictObject({
  limit: z.optional(limit),
  after: z.optional(after),
  q: z.optional(text(200)),
  sort: z.optional(serviceSort),
});

export type ServiceInput = z.infer<typeof serviceInput>;
export type Service = z.infer<typeof service>;
export type StarDistribution = z.infer<typeof starDistribution>;
export type ServiceDetails = z.infer<typeof serviceDetails>;
export type ServiceSort = z.infer<typeof serviceSort>;
export type ServiceQuery = z.infer<typeof serviceQuery>;
