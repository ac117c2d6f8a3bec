import { Router } from 'express';
import type { Gate } from '../auth/require-customer.ts';
import { HttpError } from '../http/problem.ts';
import { routesOn } from '../http/route.ts';
import type { AccountStore } from './account.store.ts';

/** How long after a login the account may be deleted, in seconds: a browser left open is not enough. */
const recentLogin = 5 * 60;

interface AccountRoutesOptions {
  accounts: AccountStore;
  gate: Gate;
  /** Milliseconds since 1970. */
  now: () => number;
}

export function accountRoutes({ accounts, gate, now }: AccountRoutesOptions): Router {
  const router = Router();
  const on = routesOn(router, gate);

  on('DELETE /account', async ({ who }, res) => {
    if (now() / 1000 - who.authTime >= recentLogin)
      throw new HttpError(
        403,
        'To delete your account, log in again first: your last login is more than 5 minutes ago. Then send the new Firebase ID token.',
      );
    await accounts.close(who.uid);
    res.json({ acknowledged: true, deletedCount: 1 });
  });

  return router;
}
