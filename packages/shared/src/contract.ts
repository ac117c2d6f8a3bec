import * as z from 'zod/mini';
import { tokenAnswer, tokenRequest } from './auth.ts';
import { deleteResult, id, insertResult, updateResult } from './fields.ts';
import {
  ownReview,
  ownReviewsQuery,
  review,
  reviewEdit,
  reviewForReader,
  reviewInput,
  serviceReviewsQuery,
} from './review.ts';
import { service, serviceDetails, serviceInput, serviceQuery } from './service.ts';
import { vitalsReport } from './vitals.ts';

/** Who may call: anyone; anyone, but a bearer is heeded; the bearer of our JWT; the bearer of a Firebase ID token. */
export type Access = 'public' | 'optional' | 'customer' | 'firebase';

/** One answer: what its body is (none when absent) and which headers it may carry. */
export interface Answer {
  body?: z.core.$ZodType;
  headers?: readonly string[];
}

export interface ContractEntry {
  summary: string;
  access: Access;
  params?: z.core.$ZodType;
  query?: z.core.$ZodType;
  /** Named request headers, lower-cased. */
  headers?: z.core.$ZodType;
  body?: z.core.$ZodType;
  answers: Readonly<Partial<Record<200 | 201 | 204, Answer>>>;
  /** Statuses answered with a problem. 400, 429, 500 and 503 may come from every route and are not repeated. */
  errors: readonly (401 | 403 | 404 | 413 | 415 | 422)[];
}

const byId = z.strictObject({ id });
const page = ['Link', 'X-Total-Count'] as const;
const idempotent = z.object({
  'idempotency-key': z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
});

/** Every route of the API, as data. Read by the API's router, by the OpenAPI document and by the web's HTTP client. */
export const contract = {
  'POST /jwt': {
    summary: 'Trade a Firebase ID token for an access token',
    access: 'firebase',
    body: tokenRequest,
    answers: { 200: { body: tokenAnswer } },
    errors: [401, 403, 413, 415],
  },
  'GET /services': {
    summary: 'List services',
    access: 'public',
    query: serviceQuery,
    answers: { 200: { body: z.array(service), headers: page } },
    errors: [],
  },
  'GET /services/:id': {
    summary: 'Read one service',
    access: 'public',
    params: byId,
    answers: { 200: { body: serviceDetails } },
    errors: [404],
  },
  'POST /services': {
    summary: 'List a service of one’s own',
    access: 'customer',
    headers: idempotent,
    body: serviceInput,
    answers: { 201: { body: insertResult, headers: ['Location'] } },
    errors: [401, 413, 415, 422],
  },
  'GET /allreview': {
    summary: 'List the reviews of a service',
    access: 'public',
    query: serviceReviewsQuery,
    answers: { 200: { body: z.array(review), headers: page } },
    errors: [],
  },
  'GET /review': {
    summary: 'List one’s own reviews',
    access: 'customer',
    query: ownReviewsQuery,
    answers: { 200: { body: z.array(ownReview), headers: page } },
    errors: [401, 403],
  },
  'GET /review/:id': {
    summary: 'Read one review',
    access: 'optional',
    params: byId,
    answers: { 200: { body: reviewForReader } },
    errors: [401, 404],
  },
  'POST /review': {
    summary: 'Write a review',
    access: 'customer',
    headers: idempotent,
    body: reviewInput,
    answers: { 201: { body: insertResult, headers: ['Location'] } },
    errors: [401, 403, 404, 413, 415, 422],
  },
  'PATCH /review/:id': {
    summary: 'Edit one’s own review',
    access: 'customer',
    params: byId,
    body: reviewEdit,
    answers: { 200: { body: updateResult } },
    errors: [401, 403, 404, 413, 415],
  },
  'DELETE /review/:id': {
    summary: 'Delete one’s own review',
    access: 'customer',
    params: byId,
    answers: { 200: { body: deleteResult } },
    errors: [401, 403, 404],
  },
  'POST /review/:id/restore': {
    summary: 'Undo the deletion of one’s own review, within 10 minutes',
    access: 'customer',
    params: byId,
    answers: { 200: { body: updateResult } },
    errors: [401, 403, 404],
  },
  'DELETE /account': {
    summary: 'Delete one’s own account and reviews',
    access: 'firebase',
    answers: { 200: { body: deleteResult } },
    errors: [401, 403],
  },
  'POST /vitals': {
    summary: 'Report how fast a page was',
    access: 'public',
    body: vitalsReport,
    answers: { 204: {} },
    errors: [413, 415],
  },
} as const satisfies Record<string, ContractEntry>;

export type Contract = typeof contract;
export type RouteKey = keyof Contract;

type Slot<K extends RouteKey, S extends string> =
  Contract[K] extends Record<S, infer T extends z.core.$ZodType> ? T : never;

/** What a caller sends in a slot, and what the API works with once it is parsed. */
export type Sent<K extends RouteKey, S extends string> = [Slot<K, S>] extends [never] ? undefined : z.input<Slot<K, S>>;
export type Parsed<K extends RouteKey, S extends string> = [Slot<K, S>] extends [never]
  ? undefined
  : z.output<Slot<K, S>>;

type BodyOf<A> = A extends { body: infer B extends z.core.$ZodType } ? z.output<B> : undefined;

/** The body of a route's successful answer. */
export type AnswerOf<K extends RouteKey> = BodyOf<Contract[K]['answers'][keyof Contract[K]['answers']]>;
