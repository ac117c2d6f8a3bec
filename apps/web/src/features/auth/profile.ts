import { ApiError, isTemporary, requireAcknowledged, UnexpectedResponse } from '../../lib/api-error.ts';
import type { Http } from '../../lib/http.ts';
import type { AccessTokens } from './access-token.ts';
import type { Provider } from './firebase.ts';

interface ProfileOptions {
  http: Http;
  tokens: AccessTokens;
  openProvider: () => Promise<Provider>;
}

export function createProfile({ http, tokens, openProvider }: ProfileOptions) {
  return {
    /**
     * Saves the name and the photo. Then refreshes the ID token of Firebase and the access token of the API, because
     * the API reads the author's name and photo from the access token.
     */
    async saveProfile(profile: { displayName: string; photoURL: string }): Promise<void> {
      const provider = await openProvider();
      await provider.saveProfile(profile);
      await provider.getIdToken(true);
      // Remove the outdated token first. If the refresh fails, the next API call then requests a new token.
      tokens.removeAccessToken();
      await tokens.refreshAccessToken(null).catch(() => null);
    },

    /** Sends the customer an email with a link that verifies their address. */
    async sendVerification(): Promise<{ isDemo: boolean }> {
      const provider = await openProvider();
      await provider.sendVerification();
      return { isDemo: provider.isDemo };
    },

    /** Updates the auth state, for example after the customer has verified their address elsewhere. */
    refreshUser: async (): Promise<void> => (await openProvider()).refreshUser(),

    /**
     * Deletes the account and its reviews. The caller must sign out afterwards. Throws an ApiError with the status 403 if
     * the last login was too long ago. If the result is unknown, throws a NetworkError or an UnexpectedResponse.
     */
    async deleteAccount(uid: string): Promise<void> {
      const provider = await openProvider();
      const user = provider.currentUser();
      // Another customer may have signed in with another tab while this customer confirmed their identity.
      if (user?.uid !== uid)
        throw Object.assign(new Error('Another customer is signed in'), { code: 'auth/user-mismatch' });
      const as = { idToken: (await provider.getIdToken(false)) ?? '' };
      try {
        const { data } = await http('DELETE /account', { as });
        requireAcknowledged(data);
      } catch (error) {
        if (!isTemporary(error)) throw error;
        // The API may have deleted the account although this call failed. In that case, the API now rejects requests for
        // an access token. This check uses the ID token of the failed call, because another customer may have signed in since.
        await http('POST /jwt', { as, body: { email: user.email ?? '' } }).then(
          () => {
            throw error;
          },
          (checkError) => {
            if (!isUnauthenticated(checkError)) throw new UnexpectedResponse(error);
          },
        );
      }
    },
  };
}

const isUnauthenticated = (error: unknown) => error instanceof ApiError && error.status === 401;
