import type { InsertResult, ReviewEdit, ReviewInput } from '@rtr/shared';
import { requireAcknowledged, UnexpectedResponse } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';
import { ifMatch } from '../../lib/version.ts';

export async function addReview(app: App, review: ReviewInput, idempotencyKey: string): Promise<InsertResult> {
  const headers = { 'idempotency-key': idempotencyKey };
  const { data } = await app.http('POST /review', { as: 'customer', headers, body: review });
  refresh(app);
  return requireAcknowledged(data);
}

export async function editReview(app: App, id: string, edit: ReviewEdit, version: string): Promise<void> {
  const headers = ifMatch(version);
  const { data } = await app.http('PATCH /review/:id', { as: 'customer', params: { id }, headers, body: edit });
  refresh(app);
  const count: unknown = requireAcknowledged(data).matchedCount;
  if (typeof count !== 'number' || count < 1) throw new UnexpectedResponse();
}

/** Deletes a review. Returns 0 if the review was already deleted, otherwise 1. */
export async function deleteReview(app: App, id: string): Promise<number> {
  const { data } = await app.http('DELETE /review/:id', { as: 'customer', params: { id } });
  refresh(app);
  const count: unknown = data?.deletedCount;
  if (typeof count !== 'number') throw new UnexpectedResponse();
  return count;
}

export async function restoreReview(app: App, id: string): Promise<void> {
  const { data } = await app.http('POST /review/:id/restore', { as: 'customer', params: { id } });
  refresh(app);
  requireAcknowledged(data);
}

/** Invalidates the cached reviews. Also invalidates the cached services, because their review counts and stars change. */
function refresh({ queries }: App): void {
  // Cached data that is not on screen is removed. So the next page fetches it again before the page is shown.
  for (const key of ['GET /allreview', 'GET /review', 'GET /review/:id', 'GET /services/:id'])
    queries.removeQueries({ queryKey: [key], type: 'inactive' });
  for (const key of ['GET /allreview', 'GET /review', 'GET /review/:id', 'GET /services/:id', 'GET /services'])
    void queries.invalidateQueries({ queryKey: [key] });
}
