import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { composition } from './support/documents.ts';
import { attempt, call, containersOf, inspect, run, start } from './support/product.ts';

const services = Object.entries(composition.services).filter(([, { profiles }]) => !profiles);
const jobs = services.filter(([, { restart }]) => restart === 'no').map(([name]) => name);

describe('docker compose up --wait', () => {
  beforeAll(async () => {
    await run('docker compose down --volumes');
    const since = performance.now();
    await start();
    process.stdout.write(`The product was healthy after ${Math.round((performance.now() - since) / 1000)} s.\n`);
  });

  test('starts a product whose pages and API respond', async () => {
    expect((await call('/')).text).toContain('<title>Home RTR Cloud Kitchen</title>');
    const { status, text } = await call('/api/services?limit=3');
    expect([status, JSON.parse(text).length]).toEqual([200, 3]);
  });

  test.each(jobs)('runs the job %s, which exits with 0', async (job) => {
    const [id = ''] = await containersOf(job);
    expect(await inspect(id, '.State')).toMatchObject({ Status: 'exited', ExitCode: 0, OOMKilled: false });
  });

  test.each(services)(
    'runs %s as an unprivileged user without capabilities, with a read-only root file system, and with limits of memory and processes',
    async (name, { user }) => {
      const [id = ''] = await containersOf(name);
      expect(await inspect(id, '.Config.User')).toBe(user);
      expect(await inspect(id, '.HostConfig')).toMatchObject({
        ReadonlyRootfs: true,
        Privileged: false,
        CapDrop: ['ALL'],
        CapAdd: null,
        SecurityOpt: ['no-new-privileges:true'],
        Memory: expect.toSatisfy((bytes: number) => bytes >= 512 * 1024 ** 2),
        PidsLimit: expect.toSatisfy((count: number) => count >= 256),
      });
    },
  );

  test.each(services.filter(([name]) => !jobs.includes(name)))(
    'gives the processes of %s no capabilities, and they cannot write to the root file system',
    async (name, { user }) => {
      const status = await run(`docker compose exec -T ${name} cat /proc/1/status`);
      expect(/^Uid:\t(\d+)/m.exec(status)?.[1]).toBe(user.split(':')[0]);
      for (const set of ['CapPrm', 'CapEff', 'CapBnd']) expect(status).toMatch(new RegExp(`^${set}:\t0+$`, 'm'));
      expect(status).toMatch(/^NoNewPrivs:\t1$/m);
      const { code, output } = await attempt(`docker compose exec -T ${name} sh -c ': > /file'`);
      expect([code, output]).toEqual([expect.any(Number), expect.stringMatching(/Read-only file system/)]);
      expect(code).not.toBe(0);
    },
  );

  test('publishes only the port of the proxy, and only on localhost', async () => {
    const published: object[] = [];
    for (const [name] of services)
      for (const id of await containersOf(name)) {
        const ports = await inspect<Record<string, object[] | null>>(id, '.HostConfig.PortBindings');
        for (const [port, bindings] of Object.entries(ports)) published.push({ name, port, bindings });
      }
    expect(published).toEqual([
      { name: 'proxy', port: '8080/tcp', bindings: [{ HostIp: '127.0.0.1', HostPort: '8080' }] },
    ]);
  });

  test('gives the database no access to the internet, and visitors no access to the metrics', async () => {
    expect(await inspect<boolean>('rtr-container-tests_back', '.Internal')).toBe(true);
    for (const path of ['/metrics', '/api/metrics', '/api/readyz']) expect((await call(path)).status).toBe(404);
  });

  test('warms up the Auth emulator without creating accounts', async () => {
    const url =
      'http://127.0.0.1:9099/identitytoolkit.googleapis.com/v1/projects/demo-rtr-cloud-kitchen/accounts:batchGet';
    const script = `fetch('${url}?maxResults=99', { headers: { Authorization: 'Bearer owner' } })
      .then((response) => response.json()).then(({ users }) => console.log(users.every(({ email }) => email.endsWith('@demo.example'))))`;
    expect(await run(`docker compose exec -T auth-emulator node --eval "${script}"`)).toBe('true\n');
  });
});

describe('docker compose', () => {
  const firebase = {
    COMPOSE_FILE: 'docker-compose.yml:docker-compose.firebase.yml',
    DOMAIN: 'kitchen.example',
    FIREBASE_PROJECT_ID: 'kitchen',
    FIREBASE_API_KEY: 'key',
    FIREBASE_SERVICE_ACCOUNT_FILE: './package.json',
  };

  test('accepts the configuration when all required variables are set, with and without a real Firebase project', async () => {
    for (const env of [{}, firebase])
      expect(await attempt('docker compose config --quiet', env)).toMatchObject({ code: 0 });
  });

  test.each([
    ['DOMAIN', 'Name the domain under which browsers find this, such as kitchen.example.'],
    ['FIREBASE_PROJECT_ID', 'Name the Firebase project.'],
    ['FIREBASE_API_KEY', 'Set the web API key of the Firebase project.'],
    ['FIREBASE_SERVICE_ACCOUNT_FILE', 'Name the file with the JSON of the service account.'],
  ])('rejects the configuration if %s is missing, with the message “%s”', async (name, message) => {
    const { code, output } = await attempt('docker compose up --detach --wait', { ...firebase, [name]: '' });
    expect(code).not.toBe(0);
    expect(output).toContain(`${name} is missing a value: ${message}`);
  });
});

describe('when another program uses the port of the proxy', () => {
  const server = createServer();
  beforeAll(async () => {
    await run('docker compose down');
    await new Promise<void>((resolve) => {
      server.listen(8080, '127.0.0.1', resolve);
    });
  });
  afterAll(() => server.close());

  test('docker compose up fails and names the port, and it succeeds after the port is free again', async () => {
    const { code, output } = await attempt('docker compose up --detach --wait');
    expect(code).not.toBe(0);
    expect(output).toMatch(/127\.0\.0\.1:8080.*address already in use/);
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await start();
    expect((await call('/')).status).toBe(200);
  });
});
