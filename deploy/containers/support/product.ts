import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { callAuthEmulator } from '@rtr/dev-stack/auth-emulator';
import { inject } from 'vitest';

export const repository = inject('repository');
export const origin = 'http://localhost:8080';

interface Result {
  code: number;
  stdout: string;
  /** The lines of stdout and stderr. */
  output: string;
}

/** Runs a script with bash in the clone of the repository. */
export function attempt(script: string, env: Record<string, string> = {}): Promise<Result> {
  const options = { cwd: repository, env: { ...process.env, ...env }, maxBuffer: Number.POSITIVE_INFINITY };
  return new Promise((resolve) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], options, (error, stdout, stderr) => {
      const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
      resolve({ code, stdout, output: `${stdout}${stderr}` });
    });
  });
}

/** Runs a script with bash in the clone of the repository. Returns what it printed to stdout. Rejects if it fails. */
export async function run(script: string, env?: Record<string, string>): Promise<string> {
  const { code, stdout, output } = await attempt(script, env);
  if (code !== 0) throw new Error(`The script exited with ${code}:\n${script}\n${output}`);
  return stdout;
}

/** Starts the product and waits until it is healthy. */
export const start = (env?: Record<string, string>): Promise<string> => run('docker compose up --detach --wait', env);

/** Returns the ids of the containers of a service, also of stopped containers. */
export async function containersOf(service: string): Promise<string[]> {
  return (await run(`docker compose ps --all --quiet ${service}`)).split('\n').filter(Boolean);
}

export async function inspect<T>(id: string, path: string): Promise<T> {
  return JSON.parse(await run(`docker inspect --format '{{json ${path}}}' ${id}`));
}

export interface Call {
  method?: string;
  token?: string;
  body?: object;
  idempotencyKey?: string;
}

export interface Response {
  status: number;
  text: string;
}

/** Sends a request through the proxy. */
export async function call(
  path: string,
  { method = 'GET', token, body, idempotencyKey }: Call = {},
): Promise<Response> {
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

export interface Customer {
  email: string;
  password: string;
  token: string;
}

export async function signUp(): Promise<Customer> {
  const account = { email: `${randomUUID()}@kitchen.test`, password: randomUUID() };
  await callAuthEmulator(origin, 'accounts:signUp', { ...account, returnSecureToken: true });
  return { ...account, token: await logIn(account) };
}

export async function logIn({ email, password }: Omit<Customer, 'token'>): Promise<string> {
  const { idToken } = await callAuthEmulator(origin, 'accounts:signInWithPassword', {
    email,
    password,
    returnSecureToken: true,
  });
  const { status, text } = await call('/api/jwt', { method: 'POST', token: idToken, body: { email } });
  if (status !== 200) throw new Error(`The login failed with ${status}: ${text}`);
  return JSON.parse(text).token;
}

/** Adds a service. Returns its id. */
export async function addService({ token }: Customer, title = `Hood ${randomUUID()}`): Promise<string> {
  const body = { title, ratting: '4', img: '', price: '$90', description: 'We fit hoods.' };
  const { status, text } = await call('/api/services', { method: 'POST', token, body, idempotencyKey: title });
  if (status !== 201) throw new Error(`The service was not added: ${status} ${text}`);
  return JSON.parse(text).insertedId;
}
