import type { InsertResult, ReviewEdit, ReviewInput } from '@rtr/shared';
import { isNotFound, requireAcknowledged, requireDeleted, UnexpectedResponse } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';
import { removeInactive } from '../../lib/query-client.ts';
import { ifMatch } from '../../lib/version.ts';

export async function addReview(app: App, review: ReviewInput, idempotencyKey: string): Promise<InsertResult> {
  const headers = { 'idempotency-key': idempotencyKey };
  try {
    const { data } = await app.http('POST /review', { as: 'customer', headers, body: review });
    refreshReviews(app);
    return requireAcknowledged(data);
  } catch (error) {
    // The service was withdrawn or hidden, so its cached page is outdated.
    if (isNotFound(error)) refreshReviews(app);
    throw error;
  }
}

export async function editReview(app: App, id: string, edit: ReviewEdit, version: string): Promise<void> {
  const headers = ifMatch(version);
  const { data } = await app.http('PATCH /review/:id', { as: 'customer', params: { id }, headers, body: edit });
  refreshReviews(app);
  const count: unknown = requireAcknowledged(data).matchedCount;
  if (typeof count !== 'number' || count < 1) throw new UnexpectedResponse();
}

export async function deleteReview(app: App, id: string): Promise<void> {
  const { data } = await app.http('DELETE /review/:id', { as: 'customer', params: { id } });
  refreshReviews(app);
  requireDeleted(data);
}

export async function restoreReview(app: App, id: string): Promise<void> {
  const { data } = await app.http('POST /review/:id/restore', { as: 'customer', params: { id } });
  refreshReviews(app);
  requireAcknowledged(data);
}

/** Adds or edits the reply of the lister to a review. */
export async function putReply(app: App, id: string, text: string): Promise<void> {
  const { data } = await app.http('PUT /review/:id/reply', { as: 'customer', params: { id }, body: { text } });
  refresh(app, replyKeys);
  if (data?.text !== text) throw new UnexpectedResponse();
}

export async function deleteReply(app: App, id: string): Promise<void> {
  const { data } = await app.http('DELETE /review/:id/reply', { as: 'customer', params: { id } });
  refresh(app, replyKeys);
  requireDeleted(data);
}

/**
 * The routes to fetch again after a change of a review or a reply. One of them is the list of the customer's services,
 * because it contains the number of reviews, and how many of them have no reply.
 */
const reviewKeys = [
  'GET /allreview',
  'GET /review',
  'GET /review/:id',
  'GET /account/services',
  'GET /listers/:id',
  'GET /listers/:id/reviews',
];
const replyKeys = [...reviewKeys, 'GET /account/replies'];

/** Invalidates the cached reviews. Also invalidates the cached services, because their review counts and stars change. */
function refreshReviews(app: App): void {
  refresh(app, [...reviewKeys, 'GET /services/:id']);
  void app.queries.invalidateQueries({ queryKey: ['GET /services'] });
}

function refresh({ queries }: App, keys: readonly string[]): void {
  for (const key of keys) removeInactive(queries, [key]);
  for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
}
