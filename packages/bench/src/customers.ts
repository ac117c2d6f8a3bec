import { callAuthEmulator } from '@rtr/dev-stack/auth-emulator';

export interface Customer {
  uid: string;
  email: string;
  idToken: string;
}

interface Addresses {
  api: string;
  authEmulator?: string | undefined;
}

/** Signs up a customer at the Auth emulator. If an earlier run has signed up this customer, logs in instead. */
export async function signUpOrLogIn({ authEmulator }: Addresses, name: string): Promise<Customer> {
  const email = `${name}@kitchen.example`;
  const { localId, idToken } = await callEmulator(authEmulator, 'signUp', email).catch(() =>
    callEmulator(authEmulator, 'signInWithPassword', email),
  );
  return { uid: localId, email, idToken };
}

export async function accessTokenOf(
  { api, authEmulator }: Addresses,
  { email }: Pick<Customer, 'email'>,
): Promise<string> {
  const { idToken } = await callEmulator(authEmulator, 'signInWithPassword', email);
  const response = await fetch(`${api}/jwt`, {
    method: 'POST',
    headers: { authorization: `Bearer ${idToken}`, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  });
  if (!response.ok) throw new Error(`POST /jwt responded with ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { token: string }).token;
}

function callEmulator(emulator = '', method: string, email: string) {
  const account = { email, password: 'plans of queries', returnSecureToken: true };
  return callAuthEmulator(emulator, `accounts:${method}`, account);
}
