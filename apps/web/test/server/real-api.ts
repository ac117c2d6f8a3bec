import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePort } from '@rtr/dev-stack/processes';
import { waitMs } from '@rtr/dev-stack/timeouts';
import { type ServiceInput, serviceInput } from '@rtr/shared';
import { MongoClient } from 'mongodb';
import { afterAll, expect, inject, vi } from 'vitest';
import * as z from 'zod/mini';

declare module 'vitest' {
  export interface ProvidedContext {
    mongodbUri: string;
  }
}

const apiFolder = fileURLToPath(new URL('../../../api/', import.meta.url));

/**
 * Starts the API with an empty database in a separate process, and stops it after the tests of the file. Call this function
 * at the top of a test file.
 */
export async function startRealApi() {
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    ...process.env,
    NODE_ENV: 'test',
    PORT: String(port),
    MONGODB_URI: inject('mongodbUri'),
    MONGODB_DATABASE: `t_${randomBytes(8).toString('hex')}_demo`,
    FIREBASE_AUTH_EMULATOR_HOST: inject('authEmulatorHost'),
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'warn',
    WEB_ORIGINS: 'https://kitchen.example',
  };
  const start = (entry: string) =>
    spawn(process.execPath, [`src/${entry}.ts`], { cwd: apiFolder, env, stdio: 'ignore' });
  const [code] = (await once(start('migrate'), 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The migration ended with ${code}.`);
  const server = start('server');
  afterAll(async () => {
    server.kill();
    await once(server, 'exit');
    const client = await MongoClient.connect(env.MONGODB_URI);
    await client.db(env.MONGODB_DATABASE).dropDatabase();
    await client.close();
  });
  await vi.waitFor(async () => expect((await fetch(`${origin}/readyz`)).status).toBe(200), waitMs);

  const post = async <T>(path: string, body: object, token: string) => {
    const response = await fetch(origin + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`POST ${path} returned ${response.status}: ${await response.text()}`);
    return (await response.json()) as T;
  };
  const blank: ServiceInput = z.parse(serviceInput, {});

  return {
    origin,
    /** Signs up a customer, and returns the access token. */
    async signUp(): Promise<string> {
      const email = `${randomUUID()}@kitchen.example`;
      const accounts = `http://${env.FIREBASE_AUTH_EMULATOR_HOST}/identitytoolkit.googleapis.com/v1/accounts`;
      const created = await fetch(`${accounts}:signUp?key=any`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ email, password: randomUUID(), returnSecureToken: true }),
      });
      const { idToken } = (await created.json()) as { idToken: string };
      return (await post<{ token: string }>('/jwt', { email }, idToken)).token;
    },
    addService: async (token: string, input: Partial<ServiceInput> = {}) =>
      (await post<{ insertedId: string }>('/services', { ...blank, ...input }, token)).insertedId,
    addReview: async (token: string, input: { serviceId: string; rating?: number; review?: string }) =>
      (await post<{ insertedId: string }>('/review', input, token)).insertedId,
  };
}
