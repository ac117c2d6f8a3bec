import { randomUUID } from 'node:crypto';
import { callAuthEmulator } from '@rtr/dev-stack/auth-emulator';
import { inject } from 'vitest';
import { send } from './installation.ts';

/** Signs up a customer. Returns an access token of the API. */
export async function signUp(origin: string): Promise<string> {
  const email = `${randomUUID()}@kitchen.test`;
  const account = { email, password: randomUUID(), returnSecureToken: true };
  const { idToken } = await callAuthEmulator(`http://${inject('authEmulatorHost')}`, 'accounts:signUp', account);
  const { body } = await send(origin, '/api/jwt', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${idToken}` },
    body: JSON.stringify({ email }),
  });
  return (JSON.parse(body) as { token: string }).token;
}
