import * as z from 'zod/mini';

/** The variables for the mail server. It is optional, so both can be absent. */
export const mailVariables = {
  SMTP_URL: z.optional(
    z
      .string()
      .check(
        z.refine(
          isMailServerUrl,
          'SMTP_URL must be the address of a mail server, smtp://… or smtps://…, without a path. Percent-encode special characters in its user and password.',
        ),
      ),
  ),
  MAIL_FROM: z.optional(
    z
      .string()
      .check(
        z.regex(/^[^\s@<>,;"]+@[^\s@<>,;"]+$/, 'MAIL_FROM must be an email address, such as news@kitchen.example.'),
      ),
  ),
};

/** True if the text is an SMTP URL without other settings than a user and a password. */
function isMailServerUrl(text: string): boolean {
  const url = URL.parse(text);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return false;
  return /^\/?$/.test(url.pathname) && url.search === '' && url.hash === '' && canDecode(url.username + url.password);
}

function canDecode(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined;
  } catch {
    return false;
  }
}
