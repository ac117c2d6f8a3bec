import type { HiddenPicture } from '../database/documents/hidden.ts';
import type { CaseDocument } from '../database/documents/moderation.ts';
import type { ServiceDocument } from '../database/documents/services.ts';
import type { PictureUse } from './picture-use.ts';

/** Returns the pictures that are hidden after these actions. For each address, the newest action decides. */
export function hiddenPicturesOf(history: CaseDocument['history']): HiddenPicture[] {
  const hiddenByUrl = new Map<string, HiddenPicture>();
  for (const { action, pictures = [], at, reason } of history)
    for (const url of pictures)
      if (action === 'hide') hiddenByUrl.set(url, { url, at, reason });
      else hiddenByUrl.delete(url);
  return [...hiddenByUrl.values()];
}

/** Returns why and when the picture with this stored address was hidden, or undefined if it is visible. */
export function findHidden(hiddenPictures: readonly HiddenPicture[] = [], url: string): HiddenPicture | undefined {
  return hiddenPictures.find((hidden) => hidden.url === url);
}

/**
 * Returns the addresses of the hidden pictures. Also returns how many of them are among the current pictures of the content,
 * and how many the customer has replaced or removed.
 */
export function describeHidden(
  hiddenPictures: readonly HiddenPicture[] = [],
  currentUrls: readonly string[],
  toAddress: PictureUse['toAddress'],
) {
  const current = hiddenPictures.filter(({ url }) => currentUrls.includes(url)).length;
  return {
    current,
    replaced: hiddenPictures.length - current,
    urls: hiddenPictures.map(({ url }) => toAddress(url)),
  };
}

/** Returns the stored address of the picture of a service, or an empty text while the picture is hidden. */
export function visiblePictureOf({ img, hiddenPictures }: Pick<ServiceDocument, 'img' | 'hiddenPictures'>): string {
  return findHidden(hiddenPictures, img) ? '' : img;
}
