import { Router } from 'express';
import type { Gate } from '../auth/require-customer.ts';
import { HttpError } from '../http/problem.ts';
import { routesOn } from '../http/route.ts';
import type { AccountStore } from './account.store.ts';

/** How long after a login the account may be deleted, in seconds: a browser left open is not enough. */
const recentLogin = 5 * 60;

export function accountRoutes({ accounts, gate }: { accounts: AccountStore; gate: Gate }): Router {
  const router = Router();
  const on = routesOn(router, gate);

  on('DELETE /account', async ({ who }, res) => {
    if (Date.now() / 1000 - who.authTime >= recentLogin)
      throw new HttpError(
        403,
        'To delete your account, log in again first: your last login is more than 5 minutes ago. Then send the new Firebase ID token.',
      );
    await accounts.close(who.uid);
    res.json({ acknowledged: true, deletedCount: 1 });
  });

  return router;
}
