import * as z from 'zod/mini';
import { after, id, limit, pictureUrl, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';

/** The fields of a new service. None is required. */
export const serviceInput = z.strictObject({
  title: z._default(text(limits.titleLength), ''),
  /**
   * The lister's own rating, free text. The misspelling is part of the wire format. Use another name everywhere else.
   */
  ratting: z._default(text(limits.listerRatingLength), ''),
  img: z._default(pictureUrl, ''),
  /** Free text, such as 'from $1,200'. */
  price: z._default(text(limits.priceLength), ''),
  description: z._default(text(limits.descriptionLength), ''),
});

/** A service as everyone may read it. */
export const service = z.strictObject({
  _id: id,
  title: z.string(),
  ratting: z.string(),
  img: z.string(),
  price: z.string(),
  description: z.string(),
  createdAt: timestamp,
  /** Number of reviews that are not deleted. */
  reviewCount: z.int().check(z.gte(0)),
  /** Number of ratings that count: the newest rated review of each customer. */
  ratingCount: z.int().check(z.gte(0)),
  /** Mean of those ratings, 1 to 5, rounded to two decimals. Null without ratings. */
  averageRating: z.nullable(z.number().check(z.gte(1), z.lte(5))),
});

/** Number of counted ratings for each number of stars. */
export const starDistribution = z.strictObject({
  1: z.int(),
  2: z.int(),
  3: z.int(),
  4: z.int(),
  5: z.int(),
});

/** A service with its star distribution. */
export const serviceDetails = z.extend(service, { distribution: starDistribution });

export const serviceSort = z.enum(['newest', 'title', 'price', 'rating']);

/**
 * Without parameters, the response streams all services. With any parameter, it is a page of `limit` services
 * (default: 20).
 */
export const serviceQuery = z.strictObject({
  limit: z.optional(limit),
  after: z.optional(after),
  q: z.optional(text(limits.searchLength)),
  sort: z.optional(serviceSort),
});

export type ServiceInput = z.infer<typeof serviceInput>;
export type Service = z.infer<typeof service>;
export type StarDistribution = z.infer<typeof starDistribution>;
export type ServiceDetails = z.infer<typeof serviceDetails>;
export type ServiceSort = z.infer<typeof serviceSort>;
export type ServiceQuery = z.infer<typeof serviceQuery>;
