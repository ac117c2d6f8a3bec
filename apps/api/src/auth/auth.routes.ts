import { pictureFault } from '@rtr/shared';
import { ForbiddenError, RemovedPictureError } from '../errors.ts';
import type { AddRoute } from '../http/contract-router.ts';
import type { PictureStore } from '../pictures/pictures.store.ts';
import type { AccessTokens } from './access-token.ts';
import { isSameEmail } from './is-same-email.ts';

interface AuthRoutesOptions {
  tokens: AccessTokens;
  pictures: Pick<PictureStore, 'use'>;
  /** The origins that serve the web app and its pictures. */
  webOrigins: readonly string[];
}

export function addAuthRoutes(addRoute: AddRoute, { tokens, pictures, webOrigins }: AuthRoutesOptions): void {
  addRoute('POST /jwt', async ({ caller, body }, res) => {
    if (!isSameEmail(body.email, caller.email))
      throw new ForbiddenError(
        'This is not the email of the account that you are signed in with. Send the email of that account.',
      );
    // Every review contains the profile picture of its author. A customer can change the picture in Firebase without the web
    // app, so the API checks it here.
    let picture = pictureFault(caller.picture, webOrigins) ? '' : caller.picture;
    // This call records that the picture is used. If the call fails, the next token request repeats it, long before a
    // sweep would delete the picture.
    await pictures.use(caller.uid, picture, '').catch((error: unknown) => {
      if (error instanceof RemovedPictureError) picture = '';
    });
    res.json({ token: tokens.sign({ ...caller, picture }) });
  });
}
