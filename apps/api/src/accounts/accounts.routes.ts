import { limits } from '@rtr/shared';
import { ForbiddenError } from '../errors.ts';
import type { AddRoute } from '../http/contract-router.ts';
import type { AccountStore } from './accounts.store.ts';

/**
 * The maximum age of the login with which a customer can delete the account. It is short, because anyone could delete the
 * account at an unattended browser.
 */
const maxLoginAgeSeconds = limits.recentLoginMinutes * 60;

interface AccountRoutesOptions {
  accounts: AccountStore;
  /** Returns the current time in milliseconds since 1970. */
  now: () => number;
}

export function addAccountRoutes(addRoute: AddRoute, { accounts, now }: AccountRoutesOptions): void {
  addRoute('DELETE /account', async ({ caller }, res) => {
    if (now() / 1000 - caller.authTime >= maxLoginAgeSeconds)
      throw new ForbiddenError(
        `Your last login is more than ${limits.recentLoginMinutes} minutes ago. To delete your account, log in again and send the new Firebase ID token.`,
      );
    await accounts.close(caller.uid);
    res.json({ acknowledged: true, deletedCount: 1 });
  });
}
