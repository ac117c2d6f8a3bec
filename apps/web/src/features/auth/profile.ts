import { isTemporary, requireAcknowledged } from '../../lib/api-error.ts';
import type { Http } from '../../lib/http.ts';
import type { AccessTokens } from './access-token.ts';
import type { Provider } from './firebase.ts';

interface ProfileOptions {
  http: Http;
  tokens: AccessTokens;
  openProvider: () => Promise<Provider>;
}

export function createProfile({ http, tokens, openProvider }: ProfileOptions) {
  // Remove the outdated token first. If the refresh fails, the next API call then requests a new token.
  const replaceAccessToken = () => {
    tokens.removeAccessToken();
    return tokens.refreshAccessToken(null);
  };
  return {
    /**
     * Saves the name and the photo, and refreshes both tokens, because the API reads the author's name from the access
     * token.
     */
    async saveProfile(profile: { displayName: string; photoURL: string }): Promise<void> {
      const provider = await openProvider();
      await provider.saveProfile(profile);
      await provider.getIdToken(true);
      await replaceAccessToken().catch(() => null);
    },

    /**
     * Deletes the account and its reviews. The caller must sign out afterwards. Throws an ApiError with the status 403 if
     * the last login was too long ago. Throws a NetworkError if the result is unknown.
     */
    async deleteAccount(uid: string): Promise<void> {
      const provider = await openProvider();
      // Another customer may have signed in with another tab while this customer confirmed their identity.
      if (provider.currentUser()?.uid !== uid)
        throw Object.assign(new Error('Another customer is signed in'), { code: 'auth/user-mismatch' });
      const idToken = await provider.getIdToken(false);
      try {
        const { data } = await http('DELETE /account', { as: { idToken: idToken ?? '' } });
        requireAcknowledged(data);
      } catch (error) {
        // The API may have closed the account although this call failed. It then issues no new access token.
        const isClosed = isTemporary(error) && (await replaceAccessToken().catch(() => 'unknown')) === null;
        if (!isClosed) throw error;
      }
    },
  };
}
