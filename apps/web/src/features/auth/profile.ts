import { isTemporary } from '../../lib/api-error.ts';
import type { Http } from '../../lib/http.ts';
import type { AccessTokens } from './access-token.ts';
import type { Provider } from './firebase.ts';

interface ProfileOptions {
  http: Http;
  tokens: AccessTokens;
  openProvider: () => Promise<Provider>;
}

/** Changes and deletes the account of the customer who is signed in. */
export function createProfile({ http, tokens, openProvider }: ProfileOptions) {
  return {
    /** Saves the name and the photo, and renews both tokens: the API takes a review's name from its access token. */
    async saveProfile(profile: { displayName: string; photoURL: string }): Promise<void> {
      const provider = await openProvider();
      await provider.saveProfile(profile);
      await provider.getIdToken(true);
      await tokens.replaceAccessToken().catch(() => null);
    },

    /**
     * Deletes the account and its reviews. The caller signs out afterwards. The API answers 403 when the last login is
     * too long ago. Throws a NetworkError when it is unknown whether the account is deleted.
     */
    async deleteAccount(): Promise<void> {
      const idToken = await (await openProvider()).getIdToken(false);
      try {
        await http('DELETE /account', { as: { idToken: idToken ?? '' } });
      } catch (error) {
        // A deletion that was interrupted has closed the account: the API then refuses a new access token.
        const isClosed = isTemporary(error) && (await tokens.replaceAccessToken().catch(() => 'unknown')) === null;
        if (!isClosed) throw error;
      }
    },
  };
}
