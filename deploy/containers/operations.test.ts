import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { documentedCommands } from './support/documents.ts';
import { addService, attempt, call, logIn, repository, run, signUp, start } from './support/product.ts';

const file = (name: string) => readFileSync(join(repository, name), 'utf8');
const commands = (first: string, last?: string) => documentedCommands('operations.md', first, last);
const dump = commands('mongodump', 'database.archive.gz');

beforeAll(() => start());

describe('the documented backup', () => {
  test('prints why the dump failed, and keeps the previous dump', async () => {
    writeFileSync(join(repository, 'database.archive.gz'), 'previous dump');
    // The wrong port makes the dump fail. An image without mongodump also makes it fail, with another message.
    const { code, output } = await attempt(dump.replace('27017', '27018'));
    expect(code).not.toBe(0);
    expect(output).toMatch(/mongodump: command not found|could not connect|connection refused|server selection/i);
    expect(file('database.archive.gz')).toBe('previous dump');
  });

  test('saves the secrets, and the documented restore puts the same secrets into empty volumes', async () => {
    const digests = () =>
      run(
        'docker compose run --rm --no-deps -T --entrypoint sh secrets -c "sha256sum /secrets/*/*; ls -ln /secrets/*/*"',
      );
    const before = await digests();
    await run(commands('tar secrets -C /secrets -cf', 'secrets.tar'));
    expect(await run('tar -tf secrets.tar')).toContain('database/root-password');
    await run('docker compose run --rm --no-deps -T --entrypoint sh secrets -c "rm /secrets/*/*"');
    await run(commands('tar secrets -C /secrets -xpf', 'secrets.tar'));
    expect(await digests()).toBe(before);
  });

  test('saves each entry of the audit log only once, even if the commands of the backup run twice', async () => {
    const hidden = await addService(await signUp());
    await run(`docker compose exec -T api node dist/operate.js hide service ${hidden} --by ana --reason 'a test'`);
    await run(commands('touch tombstones.jsonl', 'log --last 1000'));
    await run(commands('touch tombstones.jsonl', 'log --last 1000'));
    expect(file('log.txt')).toContain(hidden);
    expect(file('log.txt').trim().split('\n')).toHaveLength(new Set(file('log.txt').trim().split('\n')).size);
  });

  test('can be restored with mongorestore (skipped if the image of MongoDB has no database tools)', async (context) => {
    if ((await attempt('docker compose exec -T mongodb mongodump --version')).code !== 0)
      return context.skip('The image of MongoDB has no mongodump.');
    const customer = await signUp();
    const restored = await addService(customer);
    await run(dump);
    const lost = await addService(customer);
    await run('touch tombstones.jsonl');
    const operate = commands('operate() {', 'operate() {');
    for (const step of [
      commands('docker compose stop api', 'docker compose stop api'),
      commands('mongorestore', 'docker compose run --rm --no-deps -T replica-set'),
      commands('docker compose run --rm --no-deps migrate', 'docker compose run --rm --no-deps migrate'),
      `${operate}\n${commands('operate apply tombstones', 'operate apply tombstones')}`,
    ])
      await run(step);
    await start();
    expect((await call(`/api/services/${restored}`)).status).toBe(200);
    expect((await call(`/api/services/${lost}`)).status).toBe(404);
    return undefined;
  });
});

describe('the documented secret rotation', () => {
  const functions = commands('rotate() {', 'done; }');

  test('replaces the secret of the access tokens without signing anyone out', async () => {
    const customer = await signUp();
    const rotateAndDeploy = (step: string) => run(`${functions}\nrotate ${step}\ndeploy`);
    const before = await run('docker compose exec -T api cat /secrets/api/jwt-secrets');
    await rotateAndDeploy('add');
    await addService(customer);
    await rotateAndDeploy('promote');
    await addService(customer);
    const tooEarly = await attempt(`${functions}\nrotate drop`);
    expect(tooEarly.output).toContain('Nothing was changed.');
    expect(await run('docker compose exec -T api cat /secrets/api/jwt-secrets')).not.toBe(before);
    // Removes the old secret. This ends the rotation, so that the next test can start another rotation.
    await run(`${functions}\nrotate drop --now`);
  });

  test('for a secret that has leaked, makes all existing tokens invalid immediately', async () => {
    const customer = await signUp();
    await run(`${functions}\n${commands('rotate add && rotate promote')}`);
    await expect(addService(customer)).rejects.toThrow('401');
    await addService({ ...customer, token: await logIn(customer) });
  });

  test.each([
    ['api', 'docker compose run --rm --no-deps -T secrets rm /secrets/database/api-password', 'deploy'],
    ['root', 'mv /secrets/database/root-password', 'rm /secrets/database/root-password.old'],
  ])('replaces the password of the MongoDB user “%s”', async (user, first, last) => {
    const password = () =>
      run(`docker compose run --rm --no-deps -T --entrypoint sha256sum secrets /secrets/database/${user}-password`);
    const before = await password();
    await run(`${functions}\n${commands(first, last)}`);
    expect(await password()).not.toBe(before);
    await run('docker compose run --rm --no-deps -T replica-set');
    await addService(await signUp());
  });
});

test('the job replica-set waits for a MongoDB that is still starting', async () => {
  await run('docker compose stop mongodb');
  const job = run('docker compose run --rm --no-deps -T --name rtr-container-tests-waiting replica-set');
  await expect
    .poll(async () => (await attempt('docker logs rtr-container-tests-waiting')).output)
    .toContain('MongoDB is not ready yet');
  await run('docker compose start mongodb');
  expect(await job).toContain('The replica set has a primary');
});
