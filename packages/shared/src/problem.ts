import * as z from 'zod/mini';
import { quotas } from './limits.ts';

/** The name of the limit that was reached, in a response with status 429. */
export const limitName = z.enum([
  'requests-per-minute',
  'writes-per-minute',
  'lists-at-once',
  'uploads-at-once',
  ...quotas,
]);

export type LimitName = z.infer<typeof limitName>;

/** The current state of a row that was edited since the caller read it. Its other fields depend on the route. */
export const currentRow = z.looseObject({ _id: z.string() });

/** An invalid value in a request. `path` says where it is, such as `body.photos.0.url`. */
export const invalidValue = z.strictObject({ path: z.string(), message: z.string() });

/** The body of an error response. It is an RFC 9457 problem with the content type `application/problem+json`. */
export const problem = z.strictObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  /** A text for people. It says what is wrong and what to do. */
  detail: z.string(),
  /** The id of the request. The logs of the API contain the same id. */
  instance: z.string(),
  /** The name of the limit that was reached. Present only with status 429. */
  limit: z.optional(limitName),
  /** Present only with status 412. */
  current: z.optional(currentRow),
  errors: z.optional(z.array(invalidValue)),
});

export type Problem = z.infer<typeof problem>;
