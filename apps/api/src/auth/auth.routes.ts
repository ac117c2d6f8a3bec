import { pictureFault } from '@rtr/shared';
import { Router } from 'express';
import { ForbiddenError } from '../errors.ts';
import { contractRouter } from '../http/contract-router.ts';
import type { AccessTokens } from './access-token.ts';
import type { Authenticator } from './authenticator.ts';
import { isSameEmail } from './is-same-email.ts';

interface AuthRoutesOptions {
  tokens: AccessTokens;
  authenticator: Authenticator;
  /** The origins that serve the web app and its pictures. */
  webOrigins: readonly string[];
}

export function authRoutes({ tokens, authenticator, webOrigins }: AuthRoutesOptions): Router {
  const router = Router();
  const route = contractRouter(router, authenticator);

  route('POST /jwt', ({ caller, body }, res) => {
    if (!isSameEmail(body.email, caller.email))
      throw new ForbiddenError(
        'This is not the email of the account that you are signed in with. Send the email of that account.',
      );
    // Every review copies the profile picture of its author. The API checks the picture, because a customer can change it in
    // Firebase without the web app.
    const picture = pictureFault(caller.picture, webOrigins) ? '' : caller.picture;
    res.json({ token: tokens.sign({ ...caller, picture }) });
  });

  return router;
}
