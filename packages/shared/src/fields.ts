import * as z from 'zod/mini';

/** A MongoDB ObjectId in its 24-digit hexadecimal form, lower-cased. */
export const id = z
  .string()
  .check(z.regex(/^[0-9a-fA-F]{24}$/, { error: 'must be 24 hexadecimal digits' }), z.toLowerCase());

/** Free text up to `max` characters (Unicode code points, as the database counts them too), kept exactly as sent. */
export const text = (max: number) => z.string().check(z.maxLength(max));

/** An absolute http or https URL of at most 2,048 characters, or empty. `pictureFault` checks whether everyone can load it. */
export const pictureUrl = z.string().check(
  z.maxLength(2048),
  z.refine((value) => value === '' || isWebUrl(value), { error: 'must be an http or https URL, or empty' }),
);

/** Whether the text is an absolute URL that a browser fetches over http or https. */
export function isWebUrl(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === 'http:' || protocol === 'https:';
}

/** A point in time on the wire: ISO 8601 in UTC, as `Date.toJSON` writes it. */
export const timestamp = z.iso.datetime();

/** A customer's stars for a service. */
export const stars = z.int().check(z.gte(1), z.lte(5));

/** How many rows a page holds. A string, as every query parameter is. */
export const limit = z.pipe(
  z.string().check(z.regex(/^([1-9][0-9]?|100)$/, { error: 'must be a whole number from 1 to 100' })),
  z.transform(Number),
);

/** Where a page begins: opaque, taken from the `Link` header of the page before it. Holds at most a title, escaped. */
export const after = z.string().check(z.minLength(1), z.maxLength(2048));

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
