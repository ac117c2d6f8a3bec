import * as z from 'zod/mini';
import { after, id, limit, pictureUrl, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';

/** A new service. No field is required. */
export const serviceInput = z.strictObject({
  title: z._default(text(limits.titleLength), ''),
  /**
   * The lister's own rating of the service, as free text. The misspelt name `ratting` is part of the wire format. Do not use
   * it elsewhere.
   */
  ratting: z._default(text(limits.listerRatingLength), ''),
  img: z._default(pictureUrl, ''),
  /** The price as free text, such as 'from $1,200'. */
  price: z._default(text(limits.priceLength), ''),
  description: z._default(text(limits.descriptionLength), ''),
});

export const service = z.strictObject({
  _id: id,
  title: z.string(),
  ratting: z.string(),
  img: z.string(),
  price: z.string(),
  description: z.string(),
  createdAt: timestamp,
  /** The number of reviews of the service. Deleted reviews do not count. */
  reviewCount: z.int().check(z.gte(0)),
  /** The number of customers whose stars count. Only the newest review with stars of each customer counts. */
  ratingCount: z.int().check(z.gte(0)),
  /** The average of the stars that count, from 1 to 5, rounded to two decimals. Null if no stars count. */
  averageRating: z.nullable(z.number().check(z.gte(1), z.lte(5))),
});

/** The numbers of customers who gave 1, 2, 3, 4 and 5 stars. */
export const starDistribution = z.strictObject({
  1: z.int(),
  2: z.int(),
  3: z.int(),
  4: z.int(),
  5: z.int(),
});

export const serviceDetails = z.extend(service, { distribution: starDistribution });

export const serviceSort = z.enum(['newest', 'title', 'price', 'rating']);

/**
 * The query parameters for the list of services. Without parameters, the response streams all services. With any parameter,
 * the response is a page of `limit` services, or of `limits.defaultPageSize` services by default.
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
