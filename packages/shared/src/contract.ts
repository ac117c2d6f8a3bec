import type * as z from 'zod/mini';
import { tokenRequest, tokenResponse } from './auth.ts';
import { conversationRoutes } from './contract-conversations.ts';
import { byId, type ContractEntry } from './contract-entry.ts';
import { moderationRoutes } from './contract-moderation.ts';
import { newsRoutes } from './contract-news.ts';
import { reviewRoutes } from './contract-reviews.ts';
import { serviceRoutes } from './contract-services.ts';
import { deleteResult } from './fields.ts';
import { pictureQuery, uploadedPicture } from './picture.ts';
import { vitalsReport } from './vitals.ts';

/**
 * Describes the routes of the API, except those for operators, developers and search engines, such as `/healthz`, `/docs` and
 * `/sitemap.xml`.
 * The router of the API, the OpenAPI document and the HTTP client of the web app use this contract.
 */
export const contract = {
  'POST /jwt': {
    summary: 'Exchange a Firebase ID token for an access token',
    access: 'firebase',
    body: tokenRequest,
    responses: { 200: { body: tokenResponse } },
    errors: [401, 403, 413, 415],
  },
  ...serviceRoutes,
  ...reviewRoutes,
  ...moderationRoutes,
  ...conversationRoutes,
  ...newsRoutes,
  'DELETE /account': {
    summary: 'Delete your own account, reviews, replies, votes, reports and pictures, and close your conversations',
    access: 'firebase',
    responses: { 200: { body: deleteResult } },
    errors: [401, 403],
  },
  'POST /pictures': {
    summary: 'Upload a picture',
    access: 'customer',
    takesPicture: true,
    responses: { 201: { body: uploadedPicture, headers: ['Location'] } },
    errors: [401, 408, 409, 413, 415],
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
