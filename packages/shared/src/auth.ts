import * as z from 'zod/mini';
import { text } from './fields.ts';
import { limits } from './limits.ts';

/** The body of `POST /jwt`. The email address must be the same as in the Firebase ID token. */
export const tokenRequest = z.strictObject({ email: text(limits.emailLength).check(z.minLength(1)) });

/** The response of `POST /jwt`. The token is an access token of the API: a JWT (HS256). */
export const tokenResponse = z.strictObject({ token: z.string() });

/** The public settings that the web app needs to use the identity provider. */
export const webConfig = z.object({
  apiKey: z.string(),
  authDomain: z.string(),
  projectId: z.string(),
  /** The origin of the Auth emulator, such as 'http://localhost:9099'. Absent if a real Firebase project is used. */
  authEmulator: z.optional(z.string()),
});

export type WebConfig = z.infer<typeof webConfig>;
