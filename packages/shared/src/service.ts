import * as z from 'zod/mini';
import { after, hiddenContent, id, limit, phoneNumber, pictureUrl, text, timestamp, websiteUrl } from './fields.ts';
import { limits } from './limits.ts';

/**
 * The fields that a lister enters. All are texts. The schemas below, the API and the forms take the fields from here.
 */
const listerFields = z.strictObject({
  title: text(limits.titleLength),
  /**
   * The lister's own rating of the service, as free text. The misspelt name `ratting` is part of the wire format. Do not use
   * it elsewhere.
   */
  ratting: text(limits.listerRatingLength),
  img: pictureUrl,
  /** The price as free text, such as 'from $1,200'. */
  price: text(limits.priceLength),
  description: text(limits.descriptionLength),
  /** The contact details of the lister. Everyone can read these three fields. */
  phone: phoneNumber,
  website: websiteUrl,
  area: text(limits.areaLength),
  /** Facts in the lister's own words. Pages say that nobody has checked them. */
  hours: text(limits.hoursLength),
  licence: text(limits.licenceLength),
  /** Whether the lister is insured. Empty if the lister does not say. */
  insured: z.enum(['', 'yes', 'no']),
});

export const serviceFields = listerFields.shape;

function convertFields<Schema>(convert: (field: z.ZodMiniType<string, string>) => Schema) {
  const entries = Object.entries(serviceFields).map(([name, field]) => [name, convert(field)]);
  return Object.fromEntries(entries) as Record<keyof typeof serviceFields, Schema>;
}

/** A new service. No field is required. An absent field is stored as an empty text. */
export const serviceInput = z.strictObject(convertFields((field) => z._default(field, '')));

/** A service without any text. */
export const emptyService = z.parse(serviceInput, {});

/** Returns only the fields that a lister enters. */
export function pickServiceFields(source: ServiceInput): ServiceInput {
  return Object.fromEntries(
    Object.keys(serviceFields).map((name) => [name, source[name as keyof ServiceInput]]),
  ) as ServiceInput;
}

/** An edit of a service by its lister. Absent fields keep their values. */
export const serviceEdit = z
  .partial(listerFields)
  .check(z.refine((edit) => Object.keys(edit).length > 0, { error: 'must contain at least one field of a service' }));

export const service = z.strictObject({
  _id: id,
  ...convertFields(() => z.string()),
  /** The name of the lister at the time when they added the service. Empty if the account of the lister was deleted. */
  listerName: z.string(),
  /** The id of the page of the lister. Empty if the account of the lister was deleted. */
  listerId: z.string(),
  createdAt: timestamp,
  /** The time of the last edit by the lister. If there was none, it equals `createdAt`. */
  updatedAt: timestamp,
  /** The number of reviews of the service. Deleted and hidden reviews do not count. */
  reviewCount: z.int().check(z.gte(0)),
  /** The number of customers whose stars count. If a customer has several reviews with stars, only the newest counts. */
  ratingCount: z.int().check(z.gte(0)),
  /** The average of the stars that count, from 1 to 5, rounded to two decimals. Null if `ratingCount` is 0. */
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

/** A service with the fields that only its lister can read. */
export const ownService = z.extend(service, {
  /**
   * The number of reviews without a reply, up to `limits.maxUnansweredCount`. Reviews by the customer who added the service
   * do not count.
   */
  unansweredCount: z.int().check(z.gte(0), z.lte(limits.maxUnansweredCount)),
  /**
   * Present if a moderator has hidden the service. Then only the lister and moderators can read it, and it cannot be edited.
   */
  hidden: z.optional(hiddenContent),
  /** Present if a moderator has removed the picture, until the lister adds another one. */
  removedPicture: z.optional(hiddenContent),
});

export const ownServicesQuery = z.strictObject({
  /** If given, the list contains only the service with this id. */
  serviceId: z.optional(id),
  /** With this parameter, the list contains only withdrawn services. Without it, the list contains none of them. */
  withdrawn: z.optional(z.literal('true')),
  limit: z.optional(limit),
  after: z.optional(after),
});

/** The public page of a lister, without its lists of services and reviews. */
export const lister = z.strictObject({
  _id: id,
  /** The name and the picture of the lister when they last added a service. */
  name: z.string(),
  picture: z.string(),
  /** The time when the lister added their first service. */
  createdAt: timestamp,
  reviewCount: service.shape.reviewCount,
  ratingCount: service.shape.ratingCount,
  averageRating: service.shape.averageRating,
  /** The share of the newest reviews with a reply, from 0 to 1. Null if there are no reviews. */
  replyShare: z.nullable(z.number().check(z.gte(0), z.lte(1))),
});

export const listerPageQuery = z.strictObject({ limit: z.optional(limit), after: z.optional(after) });

export const serviceSort = z.enum(['relevance', 'newest', 'title', 'price', 'rating']);

/** Filters of the list of services. A service must match all of them. */
export const serviceFilters = z.strictObject({
  /** Words that the area of the service must contain. */
  area: z.optional(text(limits.areaLength)),
  /** The minimum average of the stars. */
  minRating: z.optional(
    z.pipe(z.string().check(z.regex(/^[1-5]$/, { error: 'must be a whole number from 1 to 5' })), z.transform(Number)),
  ),
  /** The service has a phone number or a website. */
  contact: z.optional(z.literal('1')),
  /** The service has a picture. */
  photos: z.optional(z.literal('1')),
});

/**
 * The query parameters for the list of services. Without parameters, the response streams all services. With any parameter,
 * the response is a page of `limit` services, or of `limits.defaultPageSize` services by default.
 * The default order is `relevance` with `q`, and `newest` without it. Without `q`, `relevance` is the same as `newest`.
 */
export const serviceQuery = z.strictObject({
  limit: z.optional(limit),
  after: z.optional(after),
  q: z.optional(text(limits.searchLength)),
  sort: z.optional(serviceSort),
  ...serviceFilters.shape,
});

/** The query parameters for suggestions. `q` is the text that was typed so far. */
export const suggestionQuery = z.strictObject({ q: text(limits.searchLength) });

/**
 * A suggestion for a search: a service, an area or a search text. `serviceId` is the id of the service, and is absent for
 * the other kinds.
 */
export const suggestion = z.strictObject({
  kind: z.enum(['service', 'area', 'search']),
  text: z.string(),
  serviceId: z.optional(id),
});
export const suggestions = z.array(suggestion).check(z.maxLength(limits.suggestions));

/** An area and the number of its services. */
export const areaCount = z.strictObject({ area: z.string(), count: z.int().check(z.gte(1)) });
export const areaCounts = z.array(areaCount).check(z.maxLength(limits.areas));

export type ServiceInput = z.infer<typeof serviceInput>;
export type ServiceEdit = z.infer<typeof serviceEdit>;
export type Service = z.infer<typeof service>;
export type OwnService = z.infer<typeof ownService>;
export type OwnServicesQuery = z.infer<typeof ownServicesQuery>;
export type Lister = z.infer<typeof lister>;
export type ListerPageQuery = z.infer<typeof listerPageQuery>;
export type StarDistribution = z.infer<typeof starDistribution>;
export type ServiceDetails = z.infer<typeof serviceDetails>;
export type ServiceSort = z.infer<typeof serviceSort>;
export type ServiceQuery = z.infer<typeof serviceQuery>;
export type ServiceFilters = z.infer<typeof serviceFilters>;
export type Suggestion = z.infer<typeof suggestion>;
export type AreaCount = z.infer<typeof areaCount>;
