import { type InsertResult, limits, type ServiceInput, websiteUrl } from '@rtr/shared';
import * as z from 'zod/mini';
import { requireAcknowledged } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';
import { limitedText } from '../../lib/form.ts';
import { optionalPictureAddress } from '../../lib/picture-address.ts';

const text = { website: 'Enter a web address that begins with https:// or http://.' };

const optionalWebsite = z
  .string()
  .check(z.refine((value) => z.safeParse(websiteUrl, value).success, { error: text.website }));

/** The schema of the form for a new service. No field is required. */
export const serviceForm = z.object({
  title: limitedText(limits.titleLength),
  ratting: limitedText(limits.listerRatingLength),
  img: optionalPictureAddress,
  price: limitedText(limits.priceLength),
  description: limitedText(limits.descriptionLength),
  phone: z._default(limitedText(limits.phoneLength), ''),
  website: z._default(optionalWebsite, ''),
  area: z._default(limitedText(limits.areaLength), ''),
  idempotencyKey: z.string(),
});

export async function addService(
  { http, queries }: App,
  service: ServiceInput,
  idempotencyKey: string,
): Promise<InsertResult> {
  const headers = { 'idempotency-key': idempotencyKey };
  const { data } = await http('POST /services', { as: 'customer', headers, body: service });
  // Removes the cached lists of services. The customer may return to a list, and that list must contain the new service.
  queries.removeQueries({ queryKey: ['GET /services'] });
  return requireAcknowledged(data);
}
