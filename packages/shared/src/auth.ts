import * as z from 'zod/mini';
import { text } from './fields.ts';

/** The email is only compared with the one in the Firebase ID token: it proves nothing by itself. */
export const tokenRequest = z.strictObject({ email: text(320).check(z.minLength(1)) });

/** Our own access token: a JWT (HS256) that lasts one hour. */
export const tokenAnswer = z.strictObject({ token: z.string() });

/** How the web reaches the identity provider. Public values, read at run time from `/config.json`. */
export const webConfig = z.object({
  apiKey: z.string(),
  authDomain: z.string(),
  projectId: z.string(),
  /** Origin of the Auth emulator, such as 'http://localhost:9099'; absent with a real Firebase project. */
  authEmulator: z.optional(z.string()),
});

export type TokenRequest = z.infer<typeof tokenRequest>;
export type TokenAnswer = z.infer<typeof tokenAnswer>;
export type WebConfig = z.infer<typeof webConfig>;
