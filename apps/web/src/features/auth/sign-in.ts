import type { DemoAccount, Provider } from './firebase.ts';
import type { SessionStore } from './session-store.ts';
import { errorCodeOf } from './sign-in-errors.ts';

export interface NewCustomer {
  name: string;
  picture: string;
  email: string;
  password: string;
}

interface SignInOptions {
  store: SessionStore;
  getAccessToken: () => string | null;
  openProvider: () => Promise<Provider>;
}

/** Creates the functions for sign-up, login, reauthentication and the password reset. */
export function createSignIn({ store, getAccessToken, openProvider }: SignInOptions) {
  async function run(signIn: (provider: Provider) => Promise<void>): Promise<void> {
    const provider = await openProvider();
    store.update({ loading: true, signingIn: true });
    try {
      await signIn(provider);
    } catch (error) {
      store.update({ loading: false, signingIn: false });
      throw error;
    }
  }

  return {
    /**
     * Creates an account, and saves the name and the picture. If only the saving fails, resolves with `profileError`.
     * Request the access token afterwards, because it contains the name and the picture.
     */
    async signUp({ name, picture, email, password }: NewCustomer): Promise<{ profileError?: unknown }> {
      const provider = await openProvider();
      // True if the account already exists, because an earlier attempt created it but got no access token.
      const isOpened = !getAccessToken() && provider.currentUser()?.email === email.trim().toLowerCase();
      if (!isOpened) await run(() => provider.signUp(email, password));
      try {
        await provider.saveProfile({ displayName: name, photoURL: picture });
        await provider.getIdToken(true);
        return {};
      } catch (profileError) {
        return { profileError };
      }
    },
    signInWithPassword: (email: string, password: string) =>
      run((provider) => provider.signInWithPassword(email, password)),
    signInWithGoogle: () => run((provider) => provider.signInWithGoogle()),
    signInWithDemoGoogle: (account: DemoAccount) => run((provider) => provider.signInWithDemoGoogle(account)),

    /** Returns the sign-in methods of the customer. They can be used to confirm the identity. */
    getSignInMethods: async () => (await openProvider()).getSignInMethods(),
    reauthenticateWithPassword: async (password: string) => (await openProvider()).reauthenticateWithPassword(password),
    reauthenticateWithGoogle: async () => (await openProvider()).reauthenticateWithGoogle(),

    /**
     * Requests an email with a link for a new password. The result is the same for an unknown address, so that nobody can
     * find out which addresses have an account.
     */
    async sendPasswordReset(email: string): Promise<{ isDemo: boolean }> {
      const provider = await openProvider();
      try {
        await provider.sendPasswordReset(email);
      } catch (error) {
        if (!['user-not-found', 'invalid-email'].includes(errorCodeOf(error))) throw error;
      }
      return { isDemo: provider.isDemo };
    },
  };
}
