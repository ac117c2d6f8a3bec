import { ownPicturePath } from '@rtr/shared';

/**
 * Returns the id of the uploaded picture with this stored path, or undefined if the text is not the path of an uploaded
 * picture.
 */
export function idOf(stored: string): string | undefined {
  return stored.startsWith(ownPicturePath) ? stored.slice(ownPicturePath.length) : undefined;
}

/**
 * Returns the key under which a picture with this stored address is blocked. It is the same with http and https, because a
 * website usually has the same picture at both addresses.
 */
export const blockKeyOf = (stored: string): string => stored.replace(/^https?:/, '');
