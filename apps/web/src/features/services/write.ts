import type { InsertResult, RouteKey, ServiceEdit, ServiceInput } from '@rtr/shared';
import type { QueryClient } from '@tanstack/react-query';
import { requireAcknowledged, requireDeleted, UnexpectedResponse } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';
import { removeInactive } from '../../lib/query-client.ts';
import { ifMatch } from '../../lib/version.ts';

export async function addService(
  { http, queries }: App,
  service: ServiceInput,
  idempotencyKey: string,
): Promise<InsertResult> {
  const headers = { 'idempotency-key': idempotencyKey };
  const { data } = await http('POST /services', { as: 'customer', headers, body: service });
  refresh(queries, listKeys);
  return requireAcknowledged(data);
}

export async function editService(app: App, id: string, edit: ServiceEdit, version: string): Promise<void> {
  const headers = ifMatch(version);
  const { data } = await app.http('PATCH /services/:id', { as: 'customer', params: { id }, headers, body: edit });
  refresh(app.queries);
  const count: unknown = requireAcknowledged(data).matchedCount;
  if (typeof count !== 'number' || count < 1) throw new UnexpectedResponse();
}

export async function withdrawService(app: App, id: string): Promise<void> {
  const { data } = await app.http('DELETE /services/:id', { as: 'customer', params: { id } });
  refresh(app.queries);
  requireDeleted(data);
}

export async function restoreService(app: App, id: string): Promise<void> {
  const { data } = await app.http('POST /services/:id/restore', { as: 'customer', params: { id } });
  refresh(app.queries);
  requireAcknowledged(data);
}

const listKeys: RouteKey[] = [
  'GET /services',
  'GET /areas',
  'GET /services/suggestions',
  'GET /account/services',
  'GET /listers/:id',
  'GET /listers/:id/services',
  'GET /listers/:id/reviews',
];
/**
 * The routes to fetch again after a change of a service. Reviews are fetched again too, because customers see in their own
 * reviews whether the service is listed.
 */
const keysOfService: RouteKey[] = [...listKeys, 'GET /services/:id', 'GET /review', 'GET /review/:id'];

function refresh(queries: QueryClient, keys = keysOfService): void {
  for (const key of keys) removeInactive(queries, [key]);
  for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
}
