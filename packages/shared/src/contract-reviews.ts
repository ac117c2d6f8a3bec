import * as z from 'zod/mini';
import { byId, type ContractEntry, conditional, idempotent, pageHeaders } from './contract-entry.ts';
import { deleteResult, insertResult, updateResult } from './fields.ts';
import { limits } from './limits.ts';
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

/** The routes of reviews, their replies and their votes. */
export const reviewRoutes = {
  'GET /allreview': {
    summary: 'List the reviews of a service',
    access: 'optional',
    query: serviceReviewsQuery,
    responses: { 200: { body: z.array(review), headers: pageHeaders } },
    errors: [401],
  },
  'GET /review': {
    summary: 'List your own reviews',
    access: 'customer',
    query: ownReviewsQuery,
    responses: { 200: { body: z.array(ownReview), headers: pageHeaders } },
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
    errors: [401, 403, 404, 409, 413, 415, 422],
  },
  'PATCH /review/:id': {
    summary: 'Edit your own review',
    access: 'customer',
    params: byId,
    headers: conditional,
    body: reviewEdit,
    responses: { 200: { body: updateResult } },
    errors: [401, 403, 404, 409, 412, 413, 415],
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
    responses: { 200: { body: z.array(ownReply), headers: pageHeaders } },
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
    summary: 'Remove your mark that a review is useful',
    access: 'customer',
    params: byId,
    responses: { 200: { body: usefulVote } },
    errors: [401, 403, 404],
  },
  'GET /account/votes': {
    summary: 'List the reviews that you marked as useful',
    access: 'customer',
    query: ownVotesQuery,
    responses: { 200: { body: z.array(ownVote), headers: pageHeaders } },
    errors: [401],
  },
} as const satisfies Record<string, ContractEntry>;
