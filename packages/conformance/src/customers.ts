import { randomUUID } from 'node:crypto';

/** Somebody whom the server's identity provider knows. */
export interface Customer {
  email: string;
  /** A Firebase ID token, good for as long as the run takes. */
  idToken: string;
}

/** Two customers made for this run by an Auth emulator, such as 'http://127.0.0.1:9099'. */
export function madeCustomers(emulator: string): Promise<Customer[]> {
  return Promise.all(
    ['one', 'other'].map(async (name) => {
      const email = `conformance-${name}-${randomUUID()}@kitchen.test`;
      const answer = await fetch(`${emulator}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password: randomUUID(), displayName: 'Conformance', returnSecureToken: true }),
      });
      if (!answer.ok) throw new Error(`The Auth emulator answered ${answer.status}: ${await answer.text()}`);
      return { email, idToken: ((await answer.json()) as { idToken: string }).idToken };
    }),
  );
}

/** The customers of these Firebase ID tokens, separated by commas. */
export function namedCustomers(idTokens: string): Customer[] {
  return idTokens.split(',').map((idToken) => {
    const payload = Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString();
    const { email } = JSON.parse(payload) as { email?: string };
    if (!email) throw new Error('CONFORMANCE_ID_TOKENS holds a token without an email.');
    return { email, idToken: idToken.trim() };
  });
}
