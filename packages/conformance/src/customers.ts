import { randomUUID } from 'node:crypto';
import type { Server } from './server.ts';

/** A customer in whose name the checks send requests to the API. The account is at Firebase or at the Auth emulator. */
export interface Customer {
  email: string;
  /** A Firebase ID token. It must stay valid during the run. */
  idToken: string;
}

/**
 * Signs up three customers at the Auth emulator with this URL, such as 'http://127.0.0.1:9099', and makes the third a
 * moderator. Returns only the first two if the URL is that of the web server, because only administrators can make a customer
 * a moderator, and the web server removes the rights of administrators from calls.
 */
export async function signUpCustomers(emulator: string): Promise<Customer[]> {
  const [one, other, third] = await Promise.all(['one', 'other', 'moderator'].map((name) => signUp(emulator, name)));
  if (!one || !other || !third) throw new Error('The Auth emulator has signed up fewer than three customers.');
  const { aud, sub } = readPayload(third.idToken);
  const response = await fetch(`${emulator}/identitytoolkit.googleapis.com/v1/projects/${aud}/accounts:update`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: 'Bearer owner' },
    body: JSON.stringify({ localId: sub, customAttributes: '{"moderator":true}' }),
  });
  return response.ok ? [one, other, third] : [one, other];
}

async function signUp(emulator: string, name: string): Promise<Customer> {
  const email = `conformance-${name}-${randomUUID()}@kitchen.test`;
  const response = await fetch(`${emulator}/identitytoolkit.googleapis.com/v1/accounts:signUp?key=any`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password: randomUUID(), displayName: 'Conformance', returnSecureToken: true }),
  });
  if (!response.ok) throw new Error(`The Auth emulator responded with ${response.status}: ${await response.text()}`);
  return { email, idToken: ((await response.json()) as { idToken: string }).idToken };
}

/** Returns the customers of these Firebase ID tokens. Commas separate the tokens. */
export function customersOf(idTokens: string): Customer[] {
  return idTokens.split(',').map((idToken) => {
    const { email } = readPayload(idToken);
    if (!email) throw new Error('CONFORMANCE_ID_TOKENS contains a token without an email.');
    return { email, idToken: idToken.trim() };
  });
}

/** Requests an access token of the API for this customer. */
export async function requestToken(call: Server['call'], { email, idToken }: Customer): Promise<string> {
  const { body } = await call('post', '/jwt', 200, { token: idToken, json: { email } });
  return (body as { token: string }).token;
}

export function readPayload(token: string): { aud: string; sub: string; email?: string } {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as ReturnType<typeof readPayload>;
}
