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

function errorOf(address: string): string | undefined {
  const fault = pictureFault(address, [location.origin]);
  return fault && text[fault];
}

export const pictureAddress = fieldFor(errorOf);
export const optionalPictureAddress = fieldFor((address) => (address === '' ? undefined : errorOf(address)));
