import type { InsertResult, ServiceInput } from '@rtr/shared';
import * as z from 'zod/mini';
import { acknowledged } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';
import { optionalPictureAddress } from '../../lib/picture-address.ts';

const line = (max: number) => z.string().check(z.maxLength(max, { error: `Keep it to ${max} characters.` }));

/** What the form for a new service holds. Nothing is required. */
export const serviceForm = z.object({
  title: line(120),
  ratting: line(40),
  img: optionalPictureAddress,
  price: line(40),
  description: z.string().check(z.maxLength(5000, { error: 'Keep it to 5,000 characters.' })),
  idempotencyKey: z.string(),
});

export async function addService(
  { http, queries }: App,
  service: ServiceInput,
  idempotencyKey: string,
): Promise<InsertResult> {
  const headers = { 'idempotency-key': idempotencyKey };
  const { data } = await http('POST /services', { as: 'customer', headers, body: service });
  // The list one comes back to is fetched anew before it shows.
  queries.removeQueries({ queryKey: ['GET /services'] });
  return acknowledged(data);
}
