import { isTemporary } from '../../lib/api-error.ts';
import type { Http } from '../../lib/http.ts';
import type { AccessTokens } from './access-token.ts';
import type { Provider } from './firebase.ts';

interface ProfileOptions {
  http: Http;
  tokens: AccessTokens;
  openProvider: () => Promise<Provider>;
}

/** Creates the functions that change and delete the account of the customer who is signed in. */
export function createProfile({ http, tokens, openProvider }: ProfileOptions) {
  return {
    /** Saves the name and the photo, and renews both tokens, because the API takes the author's name from the access token. */
    async saveProfile(profile: { displayName: string; photoURL: string }): Promise<void> {
      const provider = await openProvider();
      await provider.saveProfile(profile);
      await provider.getIdToken(true);
      await tokens.replaceAccessToken().catch(() => null);
    },

    /**
     * Deletes the account and its reviews. The caller must sign out afterwards. The API responds with 403 if the last login
     * was too long ago. Throws a NetworkError if it is unknown whether the account was deleted.
     */
    async deleteAccount(): Promise<void> {
      const idToken = await (await openProvider()).getIdToken(false);
      try {
        await http('DELETE /account', { as: { idToken: idToken ?? '' } });
      } catch (error) {
        // If the deletion was interrupted, the account is already closed. The API then issues no new access token.
        const isClosed = isTemporary(error) && (await tokens.replaceAccessToken().catch(() => 'unknown')) === null;
        if (!isClosed) throw error;
      }
    },
  };
}
