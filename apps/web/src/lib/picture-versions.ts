import { ownPicturePath, pictureWidths } from '@rtr/shared';

/**
 * Returns the `srcset` of an uploaded picture: its versions up to a width of `maxWidth` pixels. Returns undefined for a
 * picture of another site, which has only one version. `origin` is the origin of this site.
 */
export function pictureVersions(src: string, origin: string, maxWidth: number): string | undefined {
  if (!src.startsWith(origin + ownPicturePath) || src.includes('?')) return undefined;
  const widths = pictureWidths.filter((width) => width <= maxWidth);
  return widths.map((width) => `${src}?w=${width} ${width}w`).join(', ');
}
