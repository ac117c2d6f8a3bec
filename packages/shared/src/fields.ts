import * as z from 'zod/mini';
import { limits } from './limits.ts';

/** A MongoDB ObjectId as 24 hexadecimal digits, lower-cased. */
export const id = z
  .string()
  .check(z.regex(/^[0-9a-fA-F]{24}$/, { error: 'must be 24 hexadecimal digits' }), z.toLowerCase());

/** Free text, stored exactly as sent. The length is counted in Unicode code points. */
export const text = (maxLength: number) => z.string().check(z.maxLength(maxLength));

/** An absolute http or https URL, or an empty string. `pictureFault` checks whether everyone can load it. */
export const pictureUrl = z.string().check(
  z.maxLength(limits.urlLength),
  z.refine((value) => value === '' || isWebUrl(value), { error: 'must be an http or https URL, or empty' }),
);

/** Whether the text is an absolute http or https URL. */
export function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'http:' || protocol === 'https:';
}

/** An ISO 8601 date and time in UTC, as `Date.toJSON` writes it. */
export const timestamp = z.iso.datetime();

/** The stars that a customer gives. */
export const stars = z.int().check(z.gte(1), z.lte(5));

/** The number of rows in a page. It is sent as a string, like every query parameter. */
export const limit = z.pipe(
  z.string().check(z.regex(/^([1-9][0-9]?|100)$/, { error: `must be a whole number from 1 to ${limits.maxPageSize}` })),
  z.transform(Number),
);

/** The cursor of a page: an opaque string from the `Link` header of the previous page. */
export const after = z.string().check(z.minLength(1), z.maxLength(limits.cursorLength));

export const insertResult = z.object({ acknowledged: z.boolean(), insertedId: z.string() });
export const updateResult = z.object({
  acknowledged: z.boolean(),
  matchedCount: z.number(),
  modifiedCount: z.number(),
});
export const deleteResult = z.object({ acknowledged: z.boolean(), deletedCount: z.number() });

export type InsertResult = z.infer<typeof insertResult>;
export type UpdateResult = z.infer<typeof updateResult>;
export type DeleteResult = z.infer<typeof deleteResult>;
