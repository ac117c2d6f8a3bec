import { limits, type PictureFault, pictureFault } from '@rtr/shared';
import * as z from 'zod/mini';

const text: Record<PictureFault, string> = {
  malformed: `Enter a web address that starts with https:// or http:// and has up to ${limits.urlLength.toLocaleString('en')} characters.`,
  credentials:
    'Remove the user name and password from this web address. Everyone who sees the picture could read them.',
  private:
    'Use a picture from a public website. Other people cannot open addresses on your device or on a private network.',
};

const fieldFor = (errorOf: (address: string) => string | undefined) =>
  z
    .string()
    .check(z.refine((address) => errorOf(address) === undefined, { error: ({ input }) => errorOf(String(input)) }));

function errorOf(address: string, siteOrigin: string): string | undefined {
  const fault = pictureFault(address, [location.origin, siteOrigin]);
  return fault && text[fault];
}

/**
 * The schema of a picture address. Uploaded pictures have the public origin of the site, which may differ from the origin in
 * the address bar.
 */
export const pictureAddress = (siteOrigin: string) => fieldFor((address) => errorOf(address, siteOrigin));
export const optionalPictureAddress = (siteOrigin: string) =>
  fieldFor((address) => (address === '' ? undefined : errorOf(address, siteOrigin)));
