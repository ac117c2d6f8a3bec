import { beforeAll, describe, expect, test } from 'vitest';
import { composition } from './support/documents.ts';
import { addService, attempt, call, containersOf, inspect, logIn, run, signUp, start } from './support/product.ts';

const longRunning = Object.entries(composition.services)
  .filter(([, { restart, profiles }]) => restart === 'unless-stopped' && !profiles)
  .map(([name]) => name);

beforeAll(() => start());

/** Returns a digest of each secret. */
const secretDigests = () =>
  run('docker compose run --rm --no-deps -T --entrypoint sh secrets -c "sha256sum /secrets/*/*"');

test('docker compose down and up keep the services, the accounts and the secrets', async () => {
  const customer = await signUp();
  const id = await addService(customer);
  const digests = await secretDigests();
  await run('docker compose down');
  const since = performance.now();
  await start();
  process.stdout.write(`Existing data: healthy after ${Math.round((performance.now() - since) / 1000)} s.\n`);
  expect((await call(`/api/services/${id}`)).status).toBe(200);
  // The customer can still use the access token from before the restart, and can log in with the same password.
  await addService(customer);
  await logIn(customer);
  expect(await secretDigests()).toBe(digests);
  expect(digests.trim().split('\n')).toHaveLength(7);
});

test('docker compose down --volumes deletes all volumes except that of the MongoDB for development', async () => {
  await run('docker compose --profile development up --detach --wait development-mongodb');
  await run('docker compose down --volumes');
  const volumes = () => run('docker volume ls --quiet --filter label=com.docker.compose.project=rtr-container-tests');
  expect(await volumes()).toBe('rtr-container-tests_mongodb\n');
  await run('docker compose --profile development down --volumes');
  expect(await volumes()).toBe('');
  await start();
});

describe.each(longRunning)('after all processes in the container of %s were killed with SIGKILL,', (name) => {
  test('the container starts again, and a customer and a service from before still exist', async () => {
    const customer = await signUp();
    const id = await addService(customer);
    // Wait until the emulator has saved the account. It saves all accounts every 15 s.
    if (name === 'auth-emulator') await expectSaved(customer.email);
    const [container = ''] = await containersOf(name);
    const before = await inspect(container, '.State.StartedAt');
    // Kills all processes in the container except the init process of Docker. The init process then exits too.
    await attempt(`docker compose exec -T ${name} sh -c 'kill -9 -1'`);
    await expect.poll(() => inspect(container, '.State.StartedAt')).not.toBe(before);
    await expect.poll(() => inspect(container, '.State.Health.Status')).toBe('healthy');
    await expect.poll(async () => (await call(`/api/services/${id}`)).status).toBe(200);
    await expect.poll(async () => (await call('/')).status).toBe(200);
    await expect.poll(() => logIn(customer).then(Boolean, String)).toBe(true);
    await addService(customer);
  });
});

async function expectSaved(email: string): Promise<void> {
  await expect.poll(() => run('docker compose exec -T auth-emulator cat /accounts/accounts.json')).toContain(email);
}
