import { Router } from 'express';
import { HttpError } from '../http/problem.ts';
import { routesOn } from '../http/route.ts';
import type { AccessTokens } from './access-token.ts';
import type { Gate } from './require-customer.ts';

/** POST /jwt: a Firebase ID token for an access token of ours. */
export function authRoutes({ tokens, gate }: { tokens: AccessTokens; gate: Gate }): Router {
  const router = Router();
  const on = routesOn(router, gate);

  on('POST /jwt', ({ who, body }, res) => {
    const email = comparable(body.email);
    // Without this, somebody whom Firebase holds no email for would own the empty one.
    if (email === '' || email !== comparable(who.email))
      throw new HttpError(403, 'That is not the email of the account you are signed in with. Send that one.');
    res.json({ token: tokens.sign(who) });
  });

  return router;
}

function comparable(email: string): string {
  return email.trim().toLowerCase();
}
