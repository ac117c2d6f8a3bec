import * as z from 'zod/mini';
import { byId, type ContractEntry, conditional, idempotent, pageHeaders } from './contract-entry.ts';
import { deleteResult, insertResult, updateResult } from './fields.ts';
import { limits } from './limits.ts';
import { review } from './review.ts';
import {
  areaCounts,
  lister,
  listerPageQuery,
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

export const serviceRoutes = {
  'GET /services': {
    summary: 'List services',
    access: 'public',
    query: serviceQuery,
    responses: {
      200: { body: z.array(service), headers: [...pageHeaders, 'X-Searched-For', 'X-Left-Out', 'X-Unknown-Words'] },
    },
    errors: [],
  },
  // This route must precede '/services/:id', because a router uses the first route that matches.
  'GET /services/suggestions': {
    summary: 'Suggest services, areas and searches',
    access: 'public',
    query: suggestionQuery,
    responses: { 200: { body: suggestions } },
    errors: [],
  },
  'GET /areas': {
    summary: 'List the most used areas',
    access: 'public',
    responses: { 200: { body: areaCounts } },
    errors: [],
  },
  'GET /services/:id': {
    summary: 'Get a service',
    access: 'public',
    params: byId,
    responses: { 200: { body: serviceDetails, headers: ['ETag'] } },
    errors: [404],
  },
  'GET /listers/:id': {
    summary: 'Get a lister',
    access: 'public',
    params: byId,
    responses: { 200: { body: lister } },
    errors: [404],
  },
  'GET /listers/:id/services': {
    summary: 'List the services of a lister',
    access: 'public',
    params: byId,
    query: listerPageQuery,
    responses: { 200: { body: z.array(service), headers: pageHeaders } },
    errors: [404],
  },
  'GET /listers/:id/reviews': {
    summary: 'List the newest reviews of the services of a lister',
    access: 'public',
    params: byId,
    query: listerPageQuery,
    responses: { 200: { body: z.array(review), headers: pageHeaders } },
    errors: [404],
  },
  'POST /services': {
    summary: 'Add a service',
    access: 'customer',
    headers: idempotent,
    body: serviceInput,
    responses: { 201: { body: insertResult, headers: ['Location'] } },
    errors: [401, 409, 413, 415, 422],
  },
  'PATCH /services/:id': {
    summary: 'Edit your own service',
    access: 'customer',
    params: byId,
    headers: conditional,
    body: serviceEdit,
    responses: { 200: { body: updateResult } },
    errors: [401, 403, 404, 409, 412, 413, 415],
  },
  'DELETE /services/:id': {
    summary: 'Withdraw your own service',
    access: 'customer',
    params: byId,
    responses: { 200: { body: deleteResult } },
    errors: [401, 403, 404],
  },
  'POST /services/:id/restore': {
    summary: `Restore your own service within ${limits.withdrawnDays} days of its withdrawal`,
    access: 'customer',
    params: byId,
    responses: { 200: { body: updateResult } },
    errors: [401, 403, 404],
  },
  'GET /account/services': {
    summary: 'List your own services',
    access: 'customer',
    query: ownServicesQuery,
    responses: { 200: { body: z.array(ownService), headers: pageHeaders } },
    errors: [401],
  },
} as const satisfies Record<string, ContractEntry>;
