import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import jwt from 'jsonwebtoken';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { bearer } from './support/bearer.ts';
import { runProgram } from './support/run-program.ts';
import { createTestApp, type TestApp, type TestCustomer } from './support/test-app.ts';

const folder = mkdtempSync(join(tmpdir(), 'rtr-rotation-'));
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => {
  vi.useRealTimers();
});

const minutes = 60_000;
const secret = (kid: string) => `${kid}:${randomBytes(32).toString('base64')}`;

/** Creates a file with the permissions of the files that the `secrets` command creates. */
function fileOf(name: string, content: string): string {
  const file = join(folder, name);
  writeFileSync(file, content, { mode: 0o440 });
  return file;
}

async function rotate(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runProgram('rotate', args);
  expect(code === 0).toBe(stderr === '');
  return stdout + stderr;
}

test('before and after each step of a secret rotation, every instance of the API accepts the tokens of all other instances', async () => {
  const file = fileOf('jwt-secrets', secret('old'));
  const env = { JWT_SECRETS_FILE: file, MONGODB_DATABASE: `t_${randomBytes(8).toString('hex')}_demo` };
  /** Starts an API instance that reads the current content of the secret file. */
  const deploy = () => createTestApp({ env });
  const first = await deploy();
  const start = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: start });
  const customer = await first.signUp();
  const own = ({ api }: TestApp, token: string) => api.get(`/review?email=${customer.email}`).set(bearer(token));
  const tokens = [customer.jwt];
  /** Checks that every API instance accepts the tokens of every other instance, as is necessary during a deployment. */
  const expectAllAccepted = async (...instances: TestApp[]) => {
    for (const instance of instances) for (const token of tokens) await own(instance, token).expect(200);
  };

  expect(await rotate('add', file)).toMatch(/^old signs, \d{4}-\d\d-\d\d is accepted\.\n$/);
  const second = await deploy();
  tokens.push(await refreshToken(second, customer), await refreshToken(first, customer));
  await expectAllAccepted(first, second);

  expect(await rotate('promote', file)).toMatch(/^\d{4}-\d\d-\d\d signs, old is accepted\.\n$/);
  const third = await deploy();
  tokens.push(await refreshToken(third, customer), await refreshToken(second, customer));
  await expectAllAccepted(second, third);
  const kids = tokens.map((token) => jwt.decode(token, { complete: true })?.header.kid);
  expect(kids).toEqual(['old', 'old', 'old', expect.stringMatching(/^\d{4}-/), 'old']);

  expect(await rotate('drop', file)).toMatch(/^Nothing was changed\. Wait 65 minutes more/);
  const changed = new Date(statSync(file).mtimeMs - 65 * minutes);
  utimesSync(file, changed, changed);
  vi.setSystemTime(start + 65 * minutes);
  // All tokens that were signed with the old secret have expired, so this secret can be dropped.
  for (const token of tokens) expect((await own(third, token).expect(401)).body.detail).toContain('It has expired.');
  expect(await rotate('drop', file)).toMatch(/^\d{4}-\d\d-\d\d signs\.\n$/);
  const fourth = await deploy();
  tokens.splice(0, tokens.length, await refreshToken(third, customer), await refreshToken(fourth, customer));
  await expectAllAccepted(third, fourth);

  // The new instance rejects tokens of the old secret, even if they have not expired.
  const fresh = await refreshToken(second, customer);
  await own(third, fresh).expect(200);
  expect((await own(fourth, fresh).expect(401)).body.detail).toContain('It is not an access token of this API.');
  expect(statSync(file).mode & 0o777).toBe(0o440);
});

/** Requests a new access token with a new ID token, as the web app does. */
async function refreshToken({ api }: TestApp, { idToken, email }: TestCustomer): Promise<string> {
  // The Auth emulator accepts unsigned tokens, so the test can create a token with the current time.
  const now = Math.floor(Date.now() / 1000);
  const payload = { ...(jwt.decode(idToken) as jwt.JwtPayload), iat: now, exp: now + 3600 };
  const [head = ''] = idToken.split('.');
  const fresh = `${head}.${Buffer.from(JSON.stringify(payload)).toString('base64url')}.`;
  return (await api.post('/jwt').set(bearer(fresh)).send({ email }).expect(200)).body.token;
}

test('the command `rotate drop` with --now removes a leaked secret at once', async () => {
  const file = fileOf('leaked', secret('leaked'));
  await rotate('add', file);
  await rotate('promote', file);
  expect(await rotate('drop', file, '--now')).toMatch(/^\d{4}-\d\d-\d\d signs\.\n$/);
});

test('the rotate command changes nothing and prints the reason when a step is unknown, too early or in the wrong order', async () => {
  const today = new Date().toISOString().slice(0, 10);
  const [one, two] = [fileOf('one', secret(today)), fileOf('two', `${secret('old')},${secret('next')}`)];
  const before = [one, two].map((file) => readFileSync(file, 'utf8'));
  for (const [args, words] of [
    [['promote', one], 'add one first'],
    [['drop', one, '--now'], 'add another first'],
    [['add', two], 'A rotation is in progress'],
    [['drop', two], 'Wait 65 minutes more'],
    [['turn', two], 'rotate add|promote|drop'],
    [['add', join(folder, 'none')], 'no such file'],
  ] as const) {
    const output = await rotate(...args);
    expect(output).toMatch(/^Nothing was changed\./);
    expect(output).toContain(words);
  }
  expect([one, two].map((file) => readFileSync(file, 'utf8'))).toEqual(before);
  // A second secret of the same day gets another key id (kid). No command prints a secret.
  expect(await rotate('add', one)).toBe(`${today} signs, ${today}.2 is accepted.\n`);
  expect(readFileSync(one, 'utf8')).toMatch(
    new RegExp(`^${before[0]?.replaceAll('+', '\\+')},${today}\\.2:[\\w+/]{43}=$`),
  );
});
