import { randomUUID } from 'node:crypto';

/**
 * A customer of the API that is checked. Requests are sent in the name of this customer. The account is at Firebase or at
 * the Auth emulator.
 */
export interface Customer {
  email: string;
  /** A Firebase ID token. It must stay valid during the run. */
  idToken: string;
}

/** Signs up two customers. The argument is the URL of the Auth emulator, such as 'http://127.0.0.1:9099'. */
export function signUpCustomers(emulator: string): Promise<Customer[]> {
  return Promise.all(
    ['one', 'other'].map(async (name) => {
      const email = `conformance-${name}-${randomUUID()}@kitchen.test`;
      const response = await fetch(`${emulator}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password: randomUUID(), displayName: 'Conformance', returnSecureToken: true }),
      });
      if (!response.ok)
        throw new Error(`The Auth emulator responded with ${response.status}: ${await response.text()}`);
      return { email, idToken: ((await response.json()) as { idToken: string }).idToken };
    }),
  );
}

/** Returns the customers of these Firebase ID tokens. Commas separate the tokens. */
export function customersOf(idTokens: string): Customer[] {
  return idTokens.split(',').map((idToken) => {
    const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
    const { email } = JSON.parse(payload) as { email?: string };
    if (!email) throw new Error('CONFORMANCE_ID_TOKENS contains a token without an email.');
    return { email, idToken: idToken.trim() };
  });
}
