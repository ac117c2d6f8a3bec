import { ownPicturePath, pictureWidths } from '@rtr/shared';

/**
 * Returns the id of an uploaded picture, or undefined for any other URL. `origin` is the origin of this site.
 */
export function uploadedPictureId(src: string, origin: string): string | undefined {
  const start = origin + ownPicturePath;
  return src.startsWith(start) && !src.includes('?') ? src.slice(start.length) : undefined;
}

/**
 * Returns the `srcset` of an uploaded picture, with the widths up to `maxWidth` pixels. Returns undefined for any other URL.
 * `origin` is the origin of this site.
 */
export function pictureSrcSet(src: string, origin: string, maxWidth: number): string | undefined {
  if (uploadedPictureId(src, origin) === undefined) return undefined;
  const widths = pictureWidths.filter((width) => width <= maxWidth);
  return widths.map((width) => `${src}?w=${width} ${width}w`).join(', ');
}
