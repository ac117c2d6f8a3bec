import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { isWebUrl } from './web-url.ts';

/** A MongoDB ObjectId as 24 hexadecimal digits. Upper-case digits are converted to lower case. */
export const id = z
  .string()
  .check(z.regex(/^[0-9a-fA-F]{24}$/, { error: 'must be 24 hexadecimal digits' }), z.toLowerCase());

/** Free text. The schema does not change it. Its length is counted in Unicode code points. */
export const text = (maxLength: number) => z.string().check(z.maxLength(maxLength));

/**
 * The URL of a picture: an absolute http or https URL, or an empty string. The schema does not check whether the host is
 * public. The function `pictureFault` checks this.
 */
export const pictureUrl = z.string().check(
  z.maxLength(limits.urlLength),
  z.refine((value) => value === '' || isWebUrl(value), { error: 'must be an http or https URL, or empty' }),
);

/**
 * The URL of a website: an absolute http or https URL without user information, or an empty string. Pages show it as a link.
 */
export const websiteUrl = z.string().check(
  z.maxLength(limits.urlLength),
  z.refine((value) => value === '' || (isWebUrl(value) && !hasCredentials(value)), {
    error: 'must be an http or https URL without a user name, or empty',
  }),
);

/** A phone number as free text with at least 5 digits, or a blank string. */
export const phoneNumber = z
  .string()
  .check(
    z.maxLength(limits.phoneLength),
    z.regex(/^\s*$|^([^0-9]*[0-9]){5}/, { error: 'must contain at least 5 digits, or be empty' }),
  );

function hasCredentials(url: string): boolean {
  const { username, password } = new URL(url);
  return username !== '' || password !== '';
}

/** A date and time in UTC, in the ISO 8601 format of `Date.toJSON`. */
export const timestamp = z.iso.datetime();

export const stars = z.int().check(z.gte(1), z.lte(5));

/** The maximum number of rows in a page. It is sent as a string, like every query parameter. */
export const limit = z.pipe(
  z.string().check(z.regex(/^([1-9][0-9]?|100)$/, { error: `must be a whole number from 1 to ${limits.maxPageSize}` })),
  z.transform(Number),
);

/** An opaque cursor. The client copies it from the `Link` header of a response to request the next page. */
export const after = z.string().check(z.minLength(1), z.maxLength(limits.cursorLength));

/** Information for the author of content that a moderator or an operator has hidden. */
export const hiddenContent = z.strictObject({
  reason: z.string(),
  at: timestamp,
  /** Present if the author has asked for another look at this decision. */
  isAppealed: z.optional(z.literal(true)),
});

export const insertResult = z.object({ acknowledged: z.boolean(), insertedId: z.string() });
export const updateResult = z.object({
  acknowledged: z.boolean(),
  matchedCount: z.number(),
  modifiedCount: z.number(),
});
export const deleteResult = z.object({ acknowledged: z.boolean(), deletedCount: z.number() });

export type HiddenContent = z.infer<typeof hiddenContent>;
export type InsertResult = z.infer<typeof insertResult>;
export type UpdateResult = z.infer<typeof updateResult>;
export type DeleteResult = z.infer<typeof deleteResult>;
