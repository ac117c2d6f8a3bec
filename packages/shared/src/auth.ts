import * as z from 'zod/mini';
import { text } from './fields.ts';
import { limits } from './limits.ts';

/** The body of `POST /jwt`. The email must be the one in the Firebase ID token. */
export const tokenRequest = z.strictObject({ email: text(limits.emailLength).check(z.minLength(1)) });

/** The response of `POST /jwt`: an access token of the API, which is a JWT (HS256) that is valid for one hour. */
export const tokenResponse = z.strictObject({ token: z.string() });

/** The settings with which the web app reaches the identity provider. They are public. */
export const webConfig = z.object({
  apiKey: z.string(),
  authDomain: z.string(),
  projectId: z.string(),
  /** The origin of the Auth emulator, such as 'http://localhost:9099'. Absent with a real Firebase project. */
  authEmulator: z.optional(z.string()),
});

export type WebConfig = z.infer<typeof webConfig>;
