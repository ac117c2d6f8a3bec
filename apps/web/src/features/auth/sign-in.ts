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

/** Creates the functions for sign-up, login and reauthentication. Each function rejects with the error of the provider. */
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
     * Creates an account, and saves the name and the picture. The access token contains both, so request the token only
     * afterwards. If only the name and the picture could not be saved, resolves with `profileError`.
     */
    async signUp({ name, picture, email, password }: NewCustomer): Promise<{ profileError?: unknown }> {
      const provider = await openProvider();
      // True if an earlier attempt has created the account, but then failed to get an access token.
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

    /** Returns the methods with which the signed-in customer can confirm their identity. */
    getSignInMethods: async () => (await openProvider()).getSignInMethods(),
    reauthenticateWithPassword: async (password: string) => (await openProvider()).reauthenticateWithPassword(password),
    reauthenticateWithGoogle: async () => (await openProvider()).reauthenticateWithGoogle(),

    /**
     * Requests an email with a link for a new password. An unknown address is no error, so that nobody can find out which
     * addresses have an account.
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
