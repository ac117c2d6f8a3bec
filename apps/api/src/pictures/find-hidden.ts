import type { HiddenPicture } from '../database/documents.ts';

/** Returns why and when the picture with this stored address was hidden, or undefined if it is visible. */
export function findHidden(hiddenPictures: readonly HiddenPicture[] = [], url: string): HiddenPicture | undefined {
  return hiddenPictures.find((hidden) => hidden.url === url);
}
