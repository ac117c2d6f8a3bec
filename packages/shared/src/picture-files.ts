// This file must not import zod, because browsers load this file with the first page.

/** The path of uploaded pictures on the origin of the web app. The id of the picture follows. */
export const ownPicturePath = '/pictures/u/';

/** The widths in which an uploaded picture is stored, in pixels. A picture is never enlarged. */
export const pictureWidths = [320, 640, 1280] as const;
export type PictureWidth = (typeof pictureWidths)[number];
