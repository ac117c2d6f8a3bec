import * as z from 'zod/mini';
import { byId, type ContractEntry, idempotent, pageHeaders } from './contract-entry.ts';
import {
  conversation,
  conversationDetails,
  conversationReadInput,
  conversationsQuery,
  messageInput,
  privatePicture,
} from './conversation.ts';
import { insertResult } from './fields.ts';
import { messageReport, ownReport } from './moderation.ts';
import { pictureQuery } from './picture.ts';

/** The routes of conversations between customers and listers. In addresses, a conversation is called a request. */
export const conversationRoutes = {
  'POST /services/:id/requests': {
    summary: 'Ask the lister of a service',
    access: 'customer',
    params: byId,
    headers: idempotent,
    body: messageInput,
    responses: { 201: { body: insertResult, headers: ['Location'] } },
    errors: [401, 403, 404, 409, 413, 415, 422],
  },
  'GET /requests': {
    summary: 'List your own conversations',
    access: 'customer',
    query: conversationsQuery,
    responses: { 200: { body: z.array(conversation), headers: pageHeaders } },
    errors: [401],
  },
  'GET /requests/:id': {
    summary: 'Get one of your conversations with its messages',
    access: 'customer',
    params: byId,
    responses: { 200: { body: conversationDetails, headers: ['ETag'] } },
    errors: [401, 404],
  },
  'POST /requests/:id/messages': {
    summary: 'Send a message in one of your conversations',
    access: 'customer',
    params: byId,
    headers: idempotent,
    body: messageInput,
    responses: { 201: { body: insertResult } },
    errors: [401, 404, 409, 413, 415, 422],
  },
  'POST /requests/:id/close': {
    summary: 'Close one of your conversations',
    access: 'customer',
    params: byId,
    responses: { 204: {} },
    errors: [401, 404],
  },
  'POST /requests/:id/read': {
    summary: 'Mark one of your conversations as read',
    access: 'customer',
    params: byId,
    body: conversationReadInput,
    responses: { 204: {} },
    errors: [401, 404, 413, 415],
  },
  'POST /messages/:id/report': {
    summary: 'Report a message that you received',
    access: 'customer',
    params: byId,
    body: messageReport,
    responses: { 200: { body: ownReport }, 201: { body: ownReport } },
    errors: [401, 404, 413, 415],
  },
  'POST /pictures/p': {
    summary: 'Upload a private picture for a message',
    access: 'customer',
    takesPicture: true,
    responses: { 201: { body: privatePicture } },
    errors: [401, 408, 409, 413, 415],
  },
  'GET /pictures/p/:id': {
    summary: 'Get a private picture that you have uploaded or received in a message',
    access: 'customer',
    params: byId,
    query: pictureQuery,
    responses: { 200: { isPicture: true } },
    errors: [401, 404],
  },
} as const satisfies Record<string, ContractEntry>;
