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

/** Creates the functions for sign-up, login and a new confirmation of the identity. Each rejects with the provider's error. */
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
     * Creates an account. The name and the picture are saved before the first access token is requested, because it contains
     * them.
     */
    async signUp({ name, picture, email, password }: NewCustomer): Promise<{ profileError?: unknown }> {
      const provider = await openProvider();
      // True if an earlier attempt created the account, but then failed to get an access token.
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

    /** Returns the methods with which the customer who is signed in can confirm their identity. */
    getSignInMethods: async () => (await openProvider()).getSignInMethods(),
    reauthenticateWithPassword: async (password: string) => (await openProvider()).reauthenticateWithPassword(password),
    reauthenticateWithGoogle: async () => (await openProvider()).reauthenticateWithGoogle(),

    /** Requests the email for a new password. The response does not say whether the address has an account. */
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
