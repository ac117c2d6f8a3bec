import * as z from 'zod/mini';
import { tokenRequest, tokenResponse } from './auth.ts';
import { deleteResult, id, insertResult, updateResult } from './fields.ts';
import { limits } from './limits.ts';
import {
  caseId,
  moderationCase,
  moderationInput,
  moderationQuery,
  ownReport,
  ownReportsQuery,
  reviewReport,
  serviceReport,
} from './moderation.ts';
import { pictureQuery, uploadedPicture } from './picture.ts';
import {
  ownRepliesQuery,
  ownReply,
  ownReview,
  ownReviewsQuery,
  ownVote,
  ownVotesQuery,
  reply,
  replyInput,
  review,
  reviewEdit,
  reviewForReader,
  reviewInput,
  serviceReviewsQuery,
  usefulVote,
} from './review.ts';
import {
  ownService,
  ownServicesQuery,
  service,
  serviceDetails,
  serviceEdit,
  serviceInput,
  serviceQuery,
  suggestionQuery,
  suggestions,
} from './service.ts';
import { vitalsReport } from './vitals.ts';

/**
 * The callers that may use a route. `public`: anyone. `optional`: anyone, with or without an access token. `customer`:
 * customers with an access token. `moderator`: moderators with an access token, while other customers get 404. `firebase`:
 * customers with a Firebase ID token.
 */
export type Access = 'public' | 'optional' | 'customer' | 'moderator' | 'firebase';

/** A successful response: the schema of its body, and the headers that it may have. */
export interface ContractResponse {
  body?: z.core.$ZodType;
  headers?: readonly string[];
  /** True if the body of the response is a picture instead of JSON. */
  isPicture?: true;
}

export interface ContractEntry {
  summary: string;
  access: Access;
  params?: z.core.$ZodType;
  query?: z.core.$ZodType;
  /** The schemas of request headers, by the lower-case names of the headers. */
  headers?: z.core.$ZodType;
  body?: z.core.$ZodType;
  /** True if the body of the request is a picture instead of JSON. */
  takesPicture?: true;
  responses: Readonly<Partial<Record<200 | 201 | 204, ContractResponse>>>;
  /**
   * The statuses of the route's error responses. Every route may also return 400, 429, 500 and 503, so these are not
   * repeated here.
   */
  errors: readonly (401 | 403 | 404 | 412 | 413 | 415 | 422)[];
}

const byId = z.strictObject({ id });
const page = ['Link', 'X-Total-Count'] as const;
const idempotent = z.object({
  'idempotency-key': z.optional(z.string().check(z.minLength(1), z.maxLength(limits.idempotencyKeyLength))),
});

const conditional = z.object({
  'if-match': z.optional(z.string().check(z.maxLength(limits.ifMatchLength))),
});

/**
 * Describes every route of the API. The router of the API, the OpenAPI document and the HTTP client of the web app use this
 * contract.
 */
export const contract = {
  'POST /jwt': {
    summary: 'Exchange a Firebase ID token for an access token',
    access: 'firebase',
    body: tokenRequest,
    responses: { 200: { body: tokenResponse } },
    errors: [401, 403, 413, 415],
  },
  'GET /services': {
    summary: 'List services',
    access: 'public',
    query: serviceQuery,
    responses: { 200: { body: z.array(service), headers: [...page, 'X-Searched-For'] } },
    errors: [],
  },
  // This route must precede '/services/:id', because a router uses the first route that matches.
  'GET /services/suggestions': {
    summary: 'Suggest searches for services',
    access: 'public',
    query: suggestionQuery,
    responses: { 200: { body: suggestions } },
    errors: [],
  },
  'GET /services/:id': {
    summary: 'Get a service',
    access: 'public',
    params: byId,
    responses: { 200: { body: serviceDetails, headers: ['ETag'] } },
    errors: [404],
  },
  'POST /services': {
    summary: 'Add a service',
    access: 'customer',
    headers: idempotent,
    body: serviceInput,
    responses: { 201: { body: insertResult, headers: ['Location'] } },
    errors: [401, 413, 415, 422],
  },
  'PATCH /services/:id': {
    summary: 'Edit your own service',
    access: 'customer',
    params: byId,
    headers: conditional,
    body: serviceEdit,
    responses: { 200: { body: updateResult } },
    errors: [401, 403, 404, 412, 413, 415],
  },
  'DELETE /services/:id': {
    summary: 'Withdraw your own service',
    access: 'customer',
    params: byId,
    responses: { 200: { body: deleteResult } },
    errors: [401, 403, 404],
  },
  'POST /services/:id/restore': {
    summary: 'Restore your own service within 10 minutes of its withdrawal',
    access: 'customer',
    params: byId,
    responses: { 200: { body: updateResult } },
    errors: [401, 403, 404],
  },
  'GET /account/services': {
    summary: 'List your own services',
    access: 'customer',
    query: ownServicesQuery,
    responses: { 200: { body: z.array(ownService), headers: page } },
    errors: [401],
  },
  'GET /allreview': {
    summary: 'List the reviews of a service',
    access: 'optional',
    query: serviceReviewsQuery,
    responses: { 200: { body: z.array(review), headers: page } },
    errors: [401],
  },
  'GET /review': {
    summary: 'List your own reviews',
    access: 'customer',
    query: ownReviewsQuery,
    responses: { 200: { body: z.array(ownReview), headers: page } },
    errors: [401, 403],
  },
  'GET /review/:id': {
    summary: 'Get a review',
    access: 'optional',
    params: byId,
    responses: { 200: { body: reviewForReader, headers: ['ETag'] } },
    errors: [401, 404],
  },
  'POST /review': {
    summary: 'Add a review',
    access: 'customer',
    headers: idempotent,
    body: reviewInput,
    responses: { 201: { body: insertResult, headers: ['Location'] } },
    errors: [401, 403, 404, 413, 415, 422],
  },
  'PATCH /review/:id': {
    summary: 'Edit your own review',
    access: 'customer',
    params: byId,
    headers: conditional,
    body: reviewEdit,
    responses: { 200: { body: updateResult } },
    errors: [401, 403, 404, 412, 413, 415],
  },
  'DELETE /review/:id': {
    summary: 'Delete your own review',
    access: 'customer',
    params: byId,
    responses: { 200: { body: deleteResult } },
    errors: [401, 403, 404],
  },
  'POST /review/:id/restore': {
    summary: `Restore your own review within ${limits.restoreMinutes} minutes of its deletion`,
    access: 'customer',
    params: byId,
    responses: { 200: { body: updateResult } },
    errors: [401, 403, 404],
  },
  'PUT /review/:id/reply': {
    summary: 'Reply to a review of your own service, or edit the reply',
    access: 'customer',
    params: byId,
    body: replyInput,
    responses: { 200: { body: reply } },
    errors: [401, 403, 404, 413, 415],
  },
  'DELETE /review/:id/reply': {
    summary: 'Delete your reply to a review',
    access: 'customer',
    params: byId,
    responses: { 200: { body: deleteResult } },
    errors: [401, 403, 404],
  },
  'GET /account/replies': {
    summary: 'List your own replies to reviews',
    access: 'customer',
    query: ownRepliesQuery,
    responses: { 200: { body: z.array(ownReply), headers: page } },
    errors: [401],
  },
  'PUT /review/:id/useful': {
    summary: 'Mark the review of another customer as useful',
    access: 'customer',
    params: byId,
    responses: { 200: { body: usefulVote } },
    errors: [401, 403, 404],
  },
  'DELETE /review/:id/useful': {
    summary: 'No longer mark a review as useful',
    access: 'customer',
    params: byId,
    responses: { 200: { body: usefulVote } },
    errors: [401, 403, 404],
  },
  'GET /account/votes': {
    summary: 'List the reviews that you marked as useful',
    access: 'customer',
    query: ownVotesQuery,
    responses: { 200: { body: z.array(ownVote), headers: page } },
    errors: [401],
  },
  'POST /review/:id/report': {
    summary: 'Report a review, its reply or its photos',
    access: 'customer',
    params: byId,
    body: reviewReport,
    responses: { 200: { body: ownReport }, 201: { body: ownReport } },
    errors: [401, 403, 404, 413, 415],
  },
  'POST /services/:id/report': {
    summary: 'Report a service or its picture',
    access: 'customer',
    params: byId,
    body: serviceReport,
    responses: { 200: { body: ownReport }, 201: { body: ownReport } },
    errors: [401, 403, 404, 413, 415],
  },
  'GET /account/reports': {
    summary: 'List your own reports',
    access: 'customer',
    query: ownReportsQuery,
    responses: { 200: { body: z.array(ownReport), headers: page } },
    errors: [401],
  },
  'GET /moderation': {
    summary: 'List the cases for moderators',
    access: 'moderator',
    query: moderationQuery,
    responses: { 200: { body: z.array(moderationCase), headers: page } },
    errors: [401, 404],
  },
  'POST /moderation/:id': {
    summary: 'Hide or restore reported content, or dismiss its reports',
    access: 'moderator',
    params: z.strictObject({ id: caseId }),
    body: moderationInput,
    responses: { 200: { body: moderationCase } },
    errors: [401, 404, 412, 413, 415],
  },
  'DELETE /account': {
    summary: 'Delete your own account and reviews',
    access: 'firebase',
    responses: { 200: { body: deleteResult } },
    errors: [401, 403],
  },
  'POST /pictures': {
    summary: 'Upload a picture',
    access: 'customer',
    takesPicture: true,
    responses: { 201: { body: uploadedPicture, headers: ['Location'] } },
    errors: [401, 413, 415],
  },
  'GET /pictures/u/:id': {
    summary: 'Get an uploaded picture',
    access: 'public',
    params: byId,
    query: pictureQuery,
    responses: { 200: { isPicture: true } },
    errors: [404],
  },
  'POST /vitals': {
    summary: 'Report the web vitals of a page view',
    access: 'public',
    body: vitalsReport,
    responses: { 204: {} },
    errors: [413, 415],
  },
} as const satisfies Record<string, ContractEntry>;

export type Contract = typeof contract;
export type RouteKey = keyof Contract;

type Part<K extends RouteKey, P extends string> =
  Contract[K] extends Record<P, infer T extends z.core.$ZodType> ? T : never;

/**
 * The type of one part of a request, such as its query. `RequestInput` is what the caller sends. `ParsedInput` is what the
 * API receives after parsing.
 */
export type RequestInput<K extends RouteKey, P extends string> = [Part<K, P>] extends [never]
  ? undefined
  : z.input<Part<K, P>>;
export type ParsedInput<K extends RouteKey, P extends string> = [Part<K, P>] extends [never]
  ? undefined
  : z.output<Part<K, P>>;

type BodyOf<R> = R extends { body: infer B extends z.core.$ZodType } ? z.output<B> : undefined;

export type ResponseBody<K extends RouteKey> = BodyOf<Contract[K]['responses'][keyof Contract[K]['responses']]>;
