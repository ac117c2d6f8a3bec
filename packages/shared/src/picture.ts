import * as z from 'zod/mini';

/** An uploaded picture. Its URL can be used in every field that expects a picture URL. */
export const uploadedPicture = z.strictObject({
  url: z.string(),
  /** The width and height of the largest stored file in pixels. */
  width: z.int().check(z.gte(1)),
  height: z.int().check(z.gte(1)),
});

/** The query parameters for a picture. `w` is its maximum width in pixels. */
export const pictureQuery = z.strictObject({
  w: z.optional(
    z.pipe(
      z.enum(['320', '640', '1280']),
      z.transform((value) => Number(value) as 320 | 640 | 1280),
    ),
  ),
});

export type UploadedPicture = z.infer<typeof uploadedPicture>;
