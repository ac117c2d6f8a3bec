import type { InsertResult, ReviewEdit, ReviewInput } from '@rtr/shared';
import { acknowledged, UnexpectedAnswer } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';

export async function addReview(app: App, review: ReviewInput, idempotencyKey: string): Promise<InsertResult> {
  const headers = { 'idempotency-key': idempotencyKey };
  const { data } = await app.http('POST /review', { as: 'customer', headers, body: review });
  refresh(app);
  return acknowledged(data);
}

export async function editReview(app: App, id: string, edit: ReviewEdit): Promise<void> {
  const { data } = await app.http('PATCH /review/:id', { as: 'customer', params: { id }, body: edit });
  refresh(app);
  if (acknowledged(data).matchedCount < 1) throw new UnexpectedAnswer();
}

/** How many reviews were deleted: none when it was gone already. */
export async function deleteReview(app: App, id: string): Promise<number> {
  const { data } = await app.http('DELETE /review/:id', { as: 'customer', params: { id } });
  refresh(app);
  const count: unknown = data?.deletedCount;
  if (typeof count !== 'number') throw new UnexpectedAnswer();
  return count;
}

export async function restoreReview(app: App, id: string): Promise<void> {
  const { data } = await app.http('POST /review/:id/restore', { as: 'customer', params: { id } });
  refresh(app);
  acknowledged(data);
}

/** A review changes its own lists, and its service's counts and stars wherever they are shown. */
function refresh({ queries }: App): void {
  // The page one lands on fetches these anew before it shows.
  for (const key of ['GET /allreview', 'GET /review', 'GET /review/:id', 'GET /services/:id'])
    queries.removeQueries({ queryKey: [key], type: 'inactive' });
  for (const key of ['GET /allreview', 'GET /review', 'GET /review/:id', 'GET /services/:id', 'GET /services'])
    void queries.invalidateQueries({ queryKey: [key] });
}
