import { isWebUrl, limits, phoneNumber, serviceFields, websiteUrl } from '@rtr/shared';
import * as z from 'zod/mini';
import { optionalPictureAddress } from '../../lib/picture-address.ts';

const text = {
  phone: 'Enter a phone number with at least 5 digits, or leave this empty.',
  website: 'Enter a web address that begins with https:// or http://.',
  credentials:
    'Remove the user name and password from this web address. Everyone who sees the service could read them.',
};

const optionalPhone = z.string().check(
  z.maxLength(limits.phoneLength),
  z.refine((value) => z.safeParse(phoneNumber, value).success, { error: text.phone }),
);

// A value that is not a web address fails both checks. The form shows only the error of the first check.
const optionalWebsite = z.pipe(
  z.pipe(z.string(), z.transform(completeWebsite)),
  z.string().check(
    z.maxLength(limits.urlLength),
    z.refine((value) => value === '' || isWebUrl(value), { error: text.website }),
    z.refine((value) => z.safeParse(websiteUrl, value).success, { error: text.credentials }),
  ),
);

/** Trims a web address. If it begins with a host name, such as 'ducts.example', puts 'https://' before it. */
function completeWebsite(typed: string): string {
  const address = typed.trim();
  return /^[^\s:/?#@.]+(?:\.[^\s:/?#@.]+)+(?:[:/?#]|$)/.test(address) ? `https://${address}` : address;
}

const formFields = (siteOrigin: string) => ({
  ...serviceFields,
  img: optionalPictureAddress(siteOrigin),
  phone: optionalPhone,
  website: optionalWebsite,
  idempotencyKey: z.string(),
});

/** The schema of the form for a new service. No field is required. */
export const addForm = (siteOrigin: string) => z.object(formFields(siteOrigin));

/** The schema of the form that edits a service. `version` is the version of the service that the edit is based on. */
export const editForm = (siteOrigin: string) => z.object({ ...formFields(siteOrigin), version: z.string() });
