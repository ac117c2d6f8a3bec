import type { InsertResult, ServiceInput } from '@rtr/shared';
import * as z from 'zod/mini';
import { requireAcknowledged } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';
import { optionalPictureAddress } from '../../lib/picture-address.ts';

const line = (max: number) => z.string().check(z.maxLength(max, { error: `Use ${max} characters or fewer.` }));

/** The schema of the form for a new service. No field is required. */
export const serviceForm = z.object({
  title: line(120),
  ratting: line(40),
  img: optionalPictureAddress,
  price: line(40),
  description: z.string().check(z.maxLength(5000, { error: 'Use 5,000 characters or fewer.' })),
  idempotencyKey: z.string(),
});

export async function addService(
  { http, queries }: App,
  service: ServiceInput,
  idempotencyKey: string,
): Promise<InsertResult> {
  const headers = { 'idempotency-key': idempotencyKey };
  const { data } = await http('POST /services', { as: 'customer', headers, body: service });
  // Removes the lists of services, because the customer returns to a list, which must contain the new service.
  queries.removeQueries({ queryKey: ['GET /services'] });
  return requireAcknowledged(data);
}
