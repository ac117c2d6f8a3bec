import type { HiddenPicture } from '../database/documents/hidden.ts';
import type { ServiceDocument } from '../database/documents/services.ts';

/** Returns why and when the picture with this stored address was hidden, or undefined if it is visible. */
export function findHidden(hiddenPictures: readonly HiddenPicture[] = [], url: string): HiddenPicture | undefined {
  return hiddenPictures.find((hidden) => hidden.url === url);
}

/** Counts the hidden pictures that are among the current ones, and those that their customer has replaced or removed. */
export function countHidden(hiddenPictures: readonly HiddenPicture[] = [], currentUrls: readonly string[]) {
  const current = hiddenPictures.filter(({ url }) => currentUrls.includes(url)).length;
  return { current, replaced: hiddenPictures.length - current };
}

/** Returns the picture of a service that everyone can see. It is empty while the picture is hidden. */
export function visiblePictureOf({ img, hiddenPictures }: Pick<ServiceDocument, 'img' | 'hiddenPictures'>): string {
  return findHidden(hiddenPictures, img) ? '' : img;
}
