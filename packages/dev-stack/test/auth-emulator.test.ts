import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authEmulator, callAuthEmulator, demoProject } from '../src/auth-emulator.ts';
import { childProcess, freePort } from '../src/processes.ts';

test('the Auth emulator keeps accounts and sign-ins after a kill -9, and prints the links of password resets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rtr-test-'));
  const accountsFile = join(folder, 'auth/accounts.json');
  const port = await freePort();
  const lines: string[] = [];
  const emulator = childProcess(
    authEmulator({
      project: demoProject,
      port,
      accountsFile,
      saveEveryMs: 200,
      onLine: (line) => lines.push(line),
    }),
  );
  await emulator.start();
  const amira = { email: 'amira@example.com', password: 'tandoor-7' };
  const { localId, idToken } = await call(port, 'signUp', { ...amira, returnSecureToken: true });
  await call(port, 'update', { idToken, displayName: 'Amira' });
  const google = JSON.stringify({ sub: 'google-1', email: 'jonas@example.com', email_verified: true });
  const postBody = new URLSearchParams({ id_token: google, providerId: 'google.com' }).toString();
  const jonas = await call(port, 'signInWithIdp', {
    requestUri: 'http://localhost',
    postBody,
    returnSecureToken: true,
  });
  await expect.poll(() => readFile(accountsFile, 'utf8').catch(() => '')).toMatch(/^(?=.*Amira)(?=.*google-1)/s);

  await emulator.kill();
  await emulator.start();
  expect(await call(port, 'lookup', { idToken })).toMatchObject({ users: [{ localId, displayName: 'Amira' }] });
  expect(await call(port, 'lookup', { idToken: jonas.idToken })).toMatchObject({
    users: [{ localId: jonas.localId, providerUserInfo: [{ providerId: 'google.com' }] }],
  });
  expect(await call(port, 'signInWithPassword', amira)).toMatchObject({ localId });
  await call(port, 'sendOobCode', { requestType: 'PASSWORD_RESET', email: amira.email });
  await expect
    .poll(() => lines.join('\n'))
    .toMatch(new RegExp(`amira@example.com.*http://127.0.0.1:${port}/emulator/action\\?mode=resetPassword`));
  await emulator.stop();
  await rm(folder, { recursive: true });
});

test('the Auth emulator saves its accounts on request and before it stops', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'rtr-test-'));
  const accountsFile = join(folder, 'accounts.json');
  const port = await freePort();
  const emulator = childProcess(authEmulator({ project: demoProject, port, accountsFile }));
  await emulator.start();
  await call(port, 'signUp', { email: 'jonas@example.com', password: 'griddle-7' });
  await emulator.running()?.sendRequest('save');
  expect(await readFile(accountsFile, 'utf8')).toContain('jonas@example.com');
  await call(port, 'signUp', { email: 'vera@example.com', password: 'damper-7' });
  await emulator.stop();
  expect(await readFile(accountsFile, 'utf8')).toContain('vera@example.com');
  await rm(folder, { recursive: true });
});

test('the Auth emulator keeps idle connections open for 75 s', async () => {
  const port = await freePort();
  const emulator = childProcess(authEmulator({ project: demoProject, port }));
  await emulator.start();
  const { headers } = await fetch(`http://127.0.0.1:${port}/`);
  expect(headers.get('keep-alive')).toBe('timeout=75');
  await emulator.stop();
});

function call(port: number, method: string, body: object) {
  return callAuthEmulator(`http://127.0.0.1:${port}`, `accounts:${method}`, body);
}
