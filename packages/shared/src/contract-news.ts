import * as z from 'zod/mini';
import { type ContractEntry, pageHeaders } from './contract-entry.ts';
import { newsCount, newsEntry, newsQuery, newsSeenInput } from './news.ts';

/** The routes of news. */
export const newsRoutes = {
  'GET /news': {
    summary: 'List what is new for you',
    access: 'customer',
    query: newsQuery,
    responses: { 200: { body: z.array(newsEntry), headers: pageHeaders } },
    errors: [401],
  },
  'GET /news/count': {
    summary: 'Count what is new for you',
    access: 'customer',
    responses: { 200: { body: newsCount, headers: ['ETag'] } },
    errors: [401],
  },
  'POST /news/seen': {
    summary: 'Mark your news as read',
    access: 'customer',
    body: newsSeenInput,
    responses: { 204: {} },
    errors: [401, 413, 415],
  },
} as const satisfies Record<string, ContractEntry>;
