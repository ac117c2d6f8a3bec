import * as z from 'zod/mini';
import { byId, type ContractEntry, pageHeaders } from './contract-entry.ts';
import {
  caseId,
  moderationCase,
  moderationInput,
  moderationQuery,
  ownReport,
  ownReportsQuery,
  reviewAppeal,
  reviewReport,
  serviceAppeal,
  serviceReport,
} from './moderation.ts';

/** The routes of reports and moderation cases. */
export const moderationRoutes = {
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
  'POST /review/:id/appeal': {
    summary: 'Ask moderators for another look at your hidden review or reply, or at your removed photos',
    access: 'customer',
    params: byId,
    body: reviewAppeal,
    responses: { 204: {} },
    errors: [401, 403, 404, 413, 415],
  },
  'POST /services/:id/appeal': {
    summary: 'Ask moderators for another look at your hidden service, or at its removed picture',
    access: 'customer',
    params: byId,
    body: serviceAppeal,
    responses: { 204: {} },
    errors: [401, 403, 404, 413, 415],
  },
  'GET /account/reports': {
    summary: 'List your own reports',
    access: 'customer',
    query: ownReportsQuery,
    responses: { 200: { body: z.array(ownReport), headers: pageHeaders } },
    errors: [401],
  },
  'GET /moderation': {
    summary: 'List the cases for moderators',
    access: 'moderator',
    query: moderationQuery,
    responses: { 200: { body: z.array(moderationCase), headers: pageHeaders } },
    errors: [401, 404],
  },
  'POST /moderation/:id': {
    summary: 'Hide, remove or restore reported content, or dismiss its reports',
    access: 'moderator',
    params: z.strictObject({ id: caseId }),
    body: moderationInput,
    responses: { 200: { body: moderationCase } },
    errors: [401, 403, 404, 412, 413, 415],
  },
} as const satisfies Record<string, ContractEntry>;
