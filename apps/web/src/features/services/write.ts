import {
  type InsertResult,
  isWebUrl,
  limits,
  phoneNumber,
  type RouteKey,
  type ServiceEdit,
  type ServiceInput,
  serviceFields,
  websiteUrl,
} from '@rtr/shared';
import type { QueryClient } from '@tanstack/react-query';
import * as z from 'zod/mini';
import { requireAcknowledged, requireDeleted, UnexpectedResponse } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';
import { optionalPictureAddress } from '../../lib/picture-address.ts';
import { removeInactive } from '../../lib/query-client.ts';
import { ifMatch } from '../../lib/version.ts';

const text = {
  phone: 'Enter a phone number with at least 5 digits, or leave this empty.',
  website: 'Enter a web address that begins with https:// or http://.',
  credentials:
    'Remove the user name and password from this web address. Everyone who sees the service could read them.',
};

const optionalPhone = z.string().check(
  z.maxLength(limits.phoneLength),
  z.refine((value) => z.safeParse(phoneNumber, value).success, { error: text.phone }),
);

// A value that is not a web address fails both checks. The form shows only the error of the first check.
const optionalWebsite = z.pipe(
  z.pipe(z.string(), z.transform(completeWebsite)),
  z.string().check(
    z.maxLength(limits.urlLength),
    z.refine((value) => value === '' || isWebUrl(value), { error: text.website }),
    z.refine((value) => z.safeParse(websiteUrl, value).success, { error: text.credentials }),
  ),
);

/** Trims a web address. If it begins with a host name, such as 'ducts.example', puts 'https://' before it. */
function completeWebsite(typed: string): string {
  const address = typed.trim();
  return /^[^\s:/?#@.]+(?:\.[^\s:/?#@.]+)+(?:[:/?#]|$)/.test(address) ? `https://${address}` : address;
}

const formFields = (siteOrigin: string) => ({
  ...serviceFields,
  img: optionalPictureAddress(siteOrigin),
  phone: optionalPhone,
  website: optionalWebsite,
  idempotencyKey: z.string(),
});

/** The schema of the form for a new service. No field is required. */
export const addForm = (siteOrigin: string) => z.object(formFields(siteOrigin));

/** The schema of the form that edits a service. `version` is the version of the service that the edit is based on. */
export const editForm = (siteOrigin: string) => z.object({ ...formFields(siteOrigin), version: z.string() });

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

const listKeys: RouteKey[] = ['GET /services', 'GET /services/suggestions', 'GET /account/services'];
/**
 * The routes to fetch again after a change of a service. Reviews are fetched again too, because customers see in their own
 * reviews whether the service is listed.
 */
const keysOfService: RouteKey[] = [...listKeys, 'GET /services/:id', 'GET /review', 'GET /review/:id'];

function refresh(queries: QueryClient, keys = keysOfService): void {
  for (const key of keys) removeInactive(queries, [key]);
  for (const key of keys) void queries.invalidateQueries({ queryKey: [key] });
}
