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

/** Signing up, signing in, and confirming one's identity again. Each method rejects with the provider's error. */
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
    /** Opens an account. The name and picture are saved before the first access token is requested, which holds them. */
    async signUp({ name, picture, email, password }: NewCustomer): Promise<{ profileError?: unknown }> {
      const provider = await openProvider();
      // True if an earlier attempt created the account, but its request for an access token failed.
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

    /** How the customer who is signed in can confirm their identity. */
    getSignInMethods: async () => (await openProvider()).getSignInMethods(),
    reauthenticateWithPassword: async (password: string) => (await openProvider()).reauthenticateWithPassword(password),
    reauthenticateWithGoogle: async () => (await openProvider()).reauthenticateWithGoogle(),

    /** Requests the email that sets a new password. The answer does not say whether the address has an account. */
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
