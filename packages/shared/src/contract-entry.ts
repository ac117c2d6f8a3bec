import * as z from 'zod/mini';
import { id } from './fields.ts';
import { limits } from './limits.ts';

/**
 * The callers that may use a route. `public`: anyone. `optional`: anyone, with or without an access token. `customer`:
 * customers with an access token. `moderator`: moderators with an access token. Other customers get 404. `firebase`:
 * customers with a Firebase ID token.
 */
export type Access = 'public' | 'optional' | 'customer' | 'moderator' | 'firebase';

/** A successful response: the schema of its body, and the headers that it may have. */
export interface ContractResponse {
  body?: z.core.$ZodType;
  headers?: readonly string[];
  /** True if the body of the response is a picture instead of JSON. */
  isPicture?: true;
}

export interface ContractEntry {
  summary: string;
  access: Access;
  params?: z.core.$ZodType;
  query?: z.core.$ZodType;
  /** The schemas of request headers, by the lower-case names of the headers. */
  headers?: z.core.$ZodType;
  body?: z.core.$ZodType;
  /** True if the body of the request is a picture instead of JSON. */
  takesPicture?: true;
  responses: Readonly<Partial<Record<200 | 201 | 204, ContractResponse>>>;
  /**
   * The statuses of the route's error responses. Every route may also return 400, 429, 500 and 503, so these are not
   * repeated here.
   */
  errors: readonly (401 | 403 | 404 | 408 | 409 | 412 | 413 | 415 | 422)[];
}

export const byId = z.strictObject({ id });
export const pageHeaders = ['Link', 'X-Total-Count'] as const;
export const idempotent = z.object({
  'idempotency-key': z.optional(z.string().check(z.minLength(1), z.maxLength(limits.idempotencyKeyLength))),
});

export const conditional = z.object({
  'if-match': z.optional(z.string().check(z.maxLength(limits.ifMatchLength))),
});
