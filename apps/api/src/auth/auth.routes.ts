import { pictureFault } from '@rtr/shared';
import { Router } from 'express';
import { HttpError } from '../http/problem.ts';
import { routesOn } from '../http/route.ts';
import type { AccessTokens } from './access-token.ts';
import type { Gate } from './require-customer.ts';

interface Parts {
  tokens: AccessTokens;
  gate: Gate;
  /** Where the web app and its own pictures are. */
  webOrigins: readonly string[];
}

/** POST /jwt: a Firebase ID token for an access token of ours. */
export function authRoutes({ tokens, gate, webOrigins }: Parts): Router {
  const router = Router();
  const on = routesOn(router, gate);

  on('POST /jwt', ({ who, body }, res) => {
    const email = comparable(body.email);
    // Without this, somebody whom Firebase holds no email for would own the empty one.
    if (email === '' || email !== comparable(who.email))
      throw new HttpError(403, 'That is not the email of the account you are signed in with. Send that one.');
    // The photo is copied into each review, and a customer can set it at Firebase without our forms.
    const picture = pictureFault(who.picture, webOrigins) ? '' : who.picture;
    res.json({ token: tokens.sign({ ...who, picture }) });
  });

  return router;
}

function comparable(email: string): string {
  return email.trim().toLowerCase();
}
