import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { callAuthEmulator } from '@rtr/dev-stack/auth-emulator';
import { freePort, root, waitUntilReady } from '@rtr/dev-stack/processes';
import { waitMs } from '@rtr/dev-stack/timeouts';
import { describe, expect, inject, test } from 'vitest';
import { install, job, ownFolder, startProgram } from './support/installation.ts';

const images = inject('images');
const dockerfile = readFileSync(join(root, 'deploy/Dockerfile'), 'utf8');
const stages = dockerfile.split(/^(?=FROM )/m).slice(1);
/** The stages of the Dockerfile that are not based on another stage. */
const stagesOnBaseImages = stages.filter((stage) => !stage.startsWith('FROM packages '));

describe('the Dockerfile', () => {
  test('uses base images with a complete version number, and the same Node.js version as development', () => {
    for (const stage of stagesOnBaseImages)
      expect(stage).toMatch(/^FROM \w+:\d+\.\d+\.\d+-[\w-]+(@sha256:[\da-f]{64})? AS \w/);
    const { devDependencies, devEngines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const [, version] of dockerfile.matchAll(/FROM node:([\d.]+)/g)) expect(version).toBe(devDependencies.node);
    const [, major] = /^ARG PNPM_VERSION=(\d+)\.\d+\.\d+$/m.exec(dockerfile) ?? [];
    expect(devEngines.packageManager.version).toBe(`^${major}.0.0`);
  });

  test('sets an unprivileged user in every container image', () => {
    const imageStages = stagesOnBaseImages.slice(1);
    expect(imageStages.map((stage) => / AS (\S+)/.exec(stage)?.[1])).toEqual(['api', 'web', 'auth-emulator', 'proxy']);
    for (const stage of imageStages) expect(stage.match(/^USER .*/gm)?.at(-1)).toMatch(/^USER [1-9]\d+:[1-9]\d+$/);
  });

  test.each([
    ['@rtr/api', '--prod'],
    ['@rtr/dev-stack', '--prod --no-optional'],
  ])('copies %s into its container image with `pnpm deploy %s`, as the setup of these tests does', (name, options) => {
    expect(dockerfile).toContain(`pnpm --filter ${name} deploy ${options} --offline`);
  });
});

test('the build of the container images can read the patches of dependencies', () => {
  expect(readFileSync(join(root, '.dockerignore'), 'utf8').split('\n')).toContain('!patches');
});

describe('the container image of the API', () => {
  test('contains only the production dependencies', () => {
    const packages = readdirSync(join(images, 'api/node_modules/.pnpm'));
    for (const required of ['express@', 'mongodb@', 'firebase-admin@', '@img+sharp-linux-'])
      expect(packages.some((name) => name.startsWith(required))).toBe(true);
    expect(packages).toContainEqual(expect.stringMatching(/^mongodb@.*patch_hash/));
    // The image must not contain development dependencies, a database engine whose licence forbids redistribution, and
    // optional dependencies of firebase-admin that the API does not use.
    for (const unwanted of ['vitest@', 'vite@', 'typescript@', 'supertest@', '@0q+embedded-mongodb@', '@google-cloud+'])
      expect(packages.filter((name) => name.startsWith(unwanted))).toEqual([]);
    expect(readdirSync(join(images, 'api'))).not.toContain('src');
  });

  test('runs as an unprivileged user who cannot change its code', async () => {
    const write = `require('node:fs').writeFileSync('dist/server.js', '')`;
    await expect(job(['--eval', write])).rejects.toThrow(/EACCES|EPERM|EROFS/);
    await expect(job(['--eval', 'process.exit(process.getuid() === 0 ? 1 : 0)'])).resolves.toEqual([]);
  });

  test('starts in production mode with secrets from files and becomes ready', async () => {
    const { startApi, apiOrigin } = await install({ hosts: ['127.0.0.1'] });
    const since = performance.now();
    const { child, lines, exited } = await startApi('127.0.0.1');
    const milliseconds = Math.round(performance.now() - since);
    const megabytes = Math.round(sizeOf(join(images, 'api')) / 1e6);
    process.stdout.write(`The API: ${megabytes} MB beside Node, ready after ${milliseconds} ms.\n`);
    expect(megabytes).toBeLessThan(125);
    expect((await fetch(`${apiOrigin('127.0.0.1')}/services`)).status).toBe(200);
    expect(lines.join()).not.toContain('JWT_SECRETS');
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  });

  test('can run the seed command twice', async () => {
    const { env } = await install({ hosts: ['127.0.0.1'] });
    for (const _run of ['first', 'second'])
      expect((await job(['dist/seed.js'], env)).join('\n')).toContain('Demo customers');
  });
});

test('the container image of the Auth emulator keeps accounts after a restart, and does not contain the embedded MongoDB engine', async () => {
  const [folder, port] = [join(images, 'auth-emulator'), await freePort()];
  expect(readdirSync(join(folder, 'node_modules/.pnpm')).filter((name) => name.startsWith('@0q+'))).toEqual([]);
  const origin = `http://127.0.0.1:${port}`;
  const file = join(ownFolder(), 'accounts.json');
  // The command of the Dockerfile, but with a free port and with a data file in a temporary folder.
  const [, command = ''] = /^CMD (.*auth-emulator-server.*)$/m.exec(dockerfile) ?? [];
  const [, ...args] = (JSON.parse(command) as string[]).map(
    (arg) => ({ '9099': String(port), '/accounts/accounts.json': file })[arg] ?? arg,
  );
  const account = { email: 'vera@kitchen.test', password: 'hood-and-duct', returnSecureToken: true };
  for (const method of ['signUp', 'signInWithPassword']) {
    const { child, exited } = startProgram(args, {}, folder);
    await waitUntilReady(origin, AbortSignal.timeout(waitMs));
    const { idToken } = await callAuthEmulator(origin, `accounts:${method}`, account);
    expect(idToken).toBeTruthy();
    child.kill('SIGTERM');
    expect(await exited).toBe(0);
  }
});

describe('the secrets of an installation', () => {
  const names = [
    'api/jwt-secrets',
    'api/mongodb-uri',
    'database/api-password',
    'database/keyfile',
    'database/migrate-password',
    'database/root-password',
    'migrate/mongodb-uri',
  ];
  const readers = ['api', 'migrate', 'database'];
  const createSecrets = (folder: string) => job(['dist/secrets.js', ...readers.map((reader) => join(folder, reader))]);
  const read = (folder: string) => names.map((name) => readFileSync(join(folder, name), 'utf8'));

  test('are created once, even by concurrent processes, and only their owner and group can read them', async () => {
    const folder = ownFolder();
    const outputs = await Promise.all([createSecrets(folder), createSecrets(folder), createSecrets(folder)]);
    for (const name of names)
      expect(outputs.flat().filter((line) => line === `${join(folder, name)} was created.`)).toHaveLength(1);
    const created = read(folder);
    await createSecrets(folder);
    expect(read(folder)).toEqual(created);
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o440);
    for (const reader of readers)
      expect(
        readdirSync(join(folder, reader))
          .map((name) => `${reader}/${name}`)
          .toSorted(),
      ).toEqual(names.filter((name) => name.startsWith(reader)));
  });

  test('are created again for a database user when the files with its password and its connection string were removed', async () => {
    const folder = ownFolder();
    await createSecrets(folder);
    const before = read(folder);
    for (const removed of ['database/api-password', 'api/mongodb-uri']) rmSync(join(folder, removed));
    await createSecrets(folder);
    const after = read(folder);
    const replaced = names.filter((_name, index) => after[index] !== before[index]);
    expect(replaced).toEqual(['api/mongodb-uri', 'database/api-password']);
    expect(after[1]).toContain(`mongodb://api:${after[2]}@mongodb`);
  });

  test('are rotated by the rotate command of the container image, and their files keep their permissions', async () => {
    const folder = ownFolder();
    await createSecrets(folder);
    const file = join(folder, 'api/jwt-secrets');
    const rotate = (...args: string[]) => job(['dist/rotate.js', ...args]);
    expect(await rotate('add', file)).toEqual([expect.stringMatching(/^\S+ signs, \S+ is accepted\.$/)]);
    expect(await rotate('promote', file)).toEqual([expect.stringMatching(/^\S+\.2 signs, \S+ is accepted\.$/)]);
    await expect(rotate('drop', file)).rejects.toThrow('Wait 65 minutes more');
    expect(await rotate('drop', file, '--now')).toEqual([expect.stringMatching(/^\S+\.2 signs\.$/)]);
    expect(statSync(file).mode & 0o777).toBe(0o440);
    expect(readdirSync(join(folder, 'api')).toSorted()).toEqual(['jwt-secrets', 'mongodb-uri']);
  });

  test('are rotated by the shell function in docs/operations.md', () => {
    const shorthand = /^rotate\(\) .*$/m.exec(readFileSync(join(root, 'docs/operations.md'), 'utf8'))?.[0];
    const commandFor = (words: string) => {
      const script = `docker() { printf '%s ' "$@"; }\n${shorthand}\nrotate ${words}`;
      return execFileSync('sh', ['-euc', script], { encoding: 'utf8' }).trim();
    };
    expect(commandFor('add')).toMatch(/ secrets node dist\/rotate\.js add \/secrets\/api\/jwt-secrets$/);
    expect(commandFor('drop --now')).toMatch(/ drop \/secrets\/api\/jwt-secrets --now$/);
  });

  test('differ from each other and from those of another installation, and have the format that mongod and the API expect', async () => {
    const [folder, other] = [ownFolder(), ownFolder()];
    await Promise.all([createSecrets(folder), createSecrets(other)]);
    const [jwt = '', uri, password, keyfile = ''] = read(folder);
    expect(uri).toBe(
      `mongodb://api:${password}@mongodb:27017/?replicaSet=rs0&authSource=admin&w=majority&journal=true`,
    );
    expect(jwt).toMatch(/^[\d-]{10}:[A-Za-z0-9+/]{43}=$/);
    // A key file of mongod contains 6 to 1024 characters of base64.
    expect(keyfile).toMatch(/^[A-Za-z0-9+/]{1008}$/);
    const digest = (secrets: string[]) => secrets.map((secret) => createHash('sha256').update(secret).digest('hex'));
    expect(new Set([...digest(read(folder)), ...digest(read(other))]).size).toBe(2 * names.length);
  });
});

function sizeOf(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  return readdirSync(path, { withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .reduce((sum, { name }) => sum + sizeOf(join(path, name)), 0);
}
