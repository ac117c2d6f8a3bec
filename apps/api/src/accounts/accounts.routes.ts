import { limits } from '@rtr/shared';
import { ForbiddenError } from '../errors.ts';
import type { AddRoute } from '../http/contract-router.ts';
import type { AccountStore } from './accounts.store.ts';

/**
 * To delete the account, a customer must have logged in within this time. The time is short, because otherwise anyone
 * could delete the account in a browser that is left unattended.
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
