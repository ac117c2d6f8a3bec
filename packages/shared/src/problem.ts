import * as z from 'zod/mini';
import { limitName } from './limits.ts';

/** An RFC 9457 problem, sent as `application/problem+json`. */
export const problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** What is wrong and what to do, for a person. */
  detail: z.string(),
  /** The request id, to find the request in the logs. */
  instance: z.string(),
  /** For 429: which limit was reached. */
  limit: z.optional(limitName),
  /** For bad input: each place and what is wrong there. `path` is dotted and starts with body, query, params or headers. */
  errors: z.optional(z.array(z.strictObject({ path: z.string(), message: z.string() }))),
});

export type Problem = z.infer<typeof problem>;
