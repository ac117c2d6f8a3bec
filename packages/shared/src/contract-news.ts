import * as z from 'zod/mini';
import { type ContractEntry, pageHeaders } from './contract-entry.ts';
import { newsCount, newsEmails, newsEmailsInput, newsEntry, newsQuery, newsSeenInput, unsubscribeKey } from './news.ts';

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
  'GET /account/emails': {
    summary: 'Get your setting of emails about news',
    access: 'customer',
    responses: { 200: { body: newsEmails } },
    errors: [401],
  },
  'PUT /account/emails': {
    summary: 'Switch emails about your news on or off',
    access: 'customer',
    body: newsEmailsInput,
    responses: { 200: { body: newsEmails } },
    errors: [401, 413, 415],
  },
  // The route ignores its body. RFC 8058 lets mail clients send the form `List-Unsubscribe=One-Click`.
  'POST /unsubscribe/:key': {
    summary: 'Switch emails off, with the key from an email and without a login',
    access: 'public',
    params: z.strictObject({ key: unsubscribeKey }),
    responses: { 204: {} },
    errors: [404],
  },
} as const satisfies Record<string, ContractEntry>;
