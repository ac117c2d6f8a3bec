import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '@rtr/dev-stack/processes';
import { DCLinter } from 'dclint';
import { describe, expect, test } from 'vitest';
import { type Document, isMap, parse, parseDocument, visit } from 'yaml';

interface Service {
  image: string;
  pull_policy?: string;
  build?: { context: string; target: string };
  user: string;
  profiles?: string[];
  read_only?: boolean;
  mem_limit?: string;
  pids_limit?: number;
  cap_drop?: string[];
  cap_add?: string[];
  privileged?: boolean;
  security_opt?: string[];
  stop_grace_period?: string;
  restart: string;
  network_mode?: string;
  networks?: string[];
  ports?: string[];
  volumes?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string; required?: boolean }>;
}

interface Composition {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean } | null>;
  volumes: Record<string, null>;
}

const files = ['docker-compose.yml', 'docker-compose.firebase.yml'];
const read = (name: string) => readFileSync(join(root, name), 'utf8');
const composition = parse(read('docker-compose.yml'), { merge: true }) as Composition;
const { services } = composition;
const over = parseDocument(read('docker-compose.firebase.yml'), { merge: true, logLevel: 'silent' });
const firebase = over.toJS() as { services: Record<string, Partial<Service>> };
const all = Object.entries(services);
/** What runs on; the others end when their work is done. */
const lasting = all.filter(([, { restart }]) => restart === 'unless-stopped');

test.each(files)('%s is what the Compose specification calls valid', (name) => {
  expect(faultsOf(join(root, name))).toEqual([]);
});

describe('every service', () => {
  test.each(all)('%s may do nothing that it need not', (_name, service) => {
    expect(service).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      stop_grace_period: '30s',
      logging: { driver: 'local' },
      user: expect.stringMatching(/^[1-9]\d*:[1-9]\d*$/),
    });
    for (const key of ['cap_add', 'privileged', 'network_mode']) expect(service).not.toHaveProperty(key);
  });

  test.each(all)('%s has a limit of memory and of processes', (name, { mem_limit, pids_limit }) => {
    const isMongodb = name.endsWith('mongodb');
    // 1 GB is for mongod itself, so a smaller limit would leave its cache the minimum.
    expect(mem_limit).toBe(isMongodb ? '${MONGODB_MEMORY:-2g}' : '512m');
    expect(pids_limit).toBe(isMongodb ? 4096 : 256);
  });

  test.each(all)('%s runs an image of a full version, or one of ours', (_name, { image, pull_policy }) => {
    const ours = image.startsWith('rtr-cloud-kitchen/');
    expect(image).toMatch(ours ? /:\$\{VERSION:-local\}$/ : /^\w+:\d+\.\d+\.\d+-\w+(@sha256:[\da-f]{64})?$/);
    // Nobody owns that name in a registry: whoever took it would run here.
    expect(pull_policy).toBe(ours ? 'never' : undefined);
  });

  test('and each image of ours is built by one service alone: two at once fail on its name', () => {
    const ours = new Set(all.map(([, { image }]) => image).filter((image) => image.startsWith('rtr-cloud-kitchen/')));
    const built = all.filter(([, { build }]) => build);
    expect(built.map(([, { image }]) => image).toSorted()).toEqual([...ours].toSorted());
    for (const [, { build }] of built) expect(read('deploy/Dockerfile')).toContain(` AS ${build?.target}\n`);
    // A profile would leave it unbuilt.
    for (const [, { profiles }] of built) expect(profiles).toBeUndefined();
  });

  test.each(all)('%s writes to volumes that are named, and reads files that are there', (_name, { volumes = [] }) => {
    const [bound, named] = [true, false].map((wanted) => volumes.filter((volume) => volume.startsWith('.') === wanted));
    for (const volume of bound ?? []) {
      const [source = '', , mode] = volume.split(':');
      expect([existsSync(join(root, source)), mode]).toEqual([true, 'ro']);
    }
    for (const volume of named ?? []) expect(Object.keys(composition.volumes)).toContain(volume.split(':')[0]);
  });

  test.each(all)('%s waits only for what says when it is there', (_name, { depends_on = {} }) => {
    for (const [name, { condition }] of Object.entries(depends_on)) {
      const job = services[name]?.restart === 'no';
      expect(condition).toBe(job ? 'service_completed_successfully' : 'service_healthy');
    }
  });

  test.each(lasting)('%s says whether it is well', (_name, { healthcheck }) => {
    expect(healthcheck?.test[0]).toBe('CMD');
    for (const word of healthcheck?.test ?? []) expect(word).toBeTypeOf('string');
  });

  test('and jobs end, each waited for by something', () => {
    const jobs = all.filter(([, { restart }]) => restart === 'no').map(([name]) => name);
    expect(jobs.toSorted()).toEqual(['migrate', 'replica-set', 'secrets', 'seed']);
    expect(lasting).toHaveLength(all.length - jobs.length);
    const waitedFor = new Set(all.flatMap(([, { depends_on = {} }]) => Object.keys(depends_on)));
    for (const job of jobs) expect(waitedFor).toContain(job);
  });
});

describe('the demonstration', () => {
  test('publishes the proxy alone, and on this machine alone', () => {
    for (const port of all.flatMap(([, { ports = [] }]) => ports)) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    const published = all.filter(([, { ports, profiles }]) => ports && !profiles).map(([name]) => name);
    expect(published).toEqual(['proxy']);
  });

  test('needs no variable', () => {
    const needed = [...read('docker-compose.yml').matchAll(/\$\{[^}]*\}/g)].map(([variable]) => variable);
    for (const variable of needed)
      expect(variable).toMatch(/^\$\{(VERSION|LOG_LEVEL|(API|WEB)_INSTANCES|MONGODB_MEMORY):-\w+\}$/);
  });

  test('keeps its tokens from real data', () => {
    for (const name of ['api', 'migrate', 'seed'])
      expect(services[name]?.environment).toMatchObject({
        AUTH_MODE: 'emulator',
        MONGODB_DATABASE: expect.stringMatching(/_demo$/),
      });
    expect(services['replica-set']?.environment?.MONGODB_DATABASE).toBe(services.api?.environment?.MONGODB_DATABASE);
  });

  test('its database is reached by what works with it alone, and by no one outside', () => {
    expect(composition.networks.back).toEqual({ internal: true });
    const neighbours = all.filter(([, { networks = [] }]) => networks.includes('back')).map(([name]) => name);
    expect(neighbours.toSorted()).toEqual(['api', 'migrate', 'mongodb', 'replica-set', 'secrets', 'seed']);
    for (const name of ['proxy', 'web']) expect(services[name]?.networks).toEqual(['front']);
  });

  test('no part but the job that makes them can write secrets, and each sees its own alone', () => {
    const mounts = all.flatMap(([name, { volumes = [] }]) =>
      volumes.filter((volume) => volume.includes('-secrets:')).map((volume) => `${name} ${volume}`),
    );
    expect(mounts.toSorted()).toEqual([
      'api api-secrets:/secrets/api:ro',
      'migrate api-secrets:/secrets/api:ro',
      'migrate migrate-secrets:/secrets/migrate:ro',
      'mongodb database-secrets:/secrets/database:ro',
      'replica-set database-secrets:/secrets/database:ro',
      'secrets api-secrets:/secrets/api',
      'secrets database-secrets:/secrets/database',
      'secrets migrate-secrets:/secrets/migrate',
      'seed api-secrets:/secrets/api:ro',
    ]);
  });

  test('the database user of migrate is for migrate alone, in either mode', () => {
    const uriOf = (name: string) => services[name]?.environment?.MONGODB_URI_FILE;
    expect(uriOf('migrate')).toBe('/secrets/migrate/mongodb-uri');
    for (const name of ['api', 'seed']) expect(uriOf(name)).toBe('/secrets/api/mongodb-uri');
    for (const name of ['api', 'migrate'])
      expect(firebase.services[name]?.environment).not.toHaveProperty('MONGODB_URI_FILE');
  });

  test('its database is a replica set that asks for passwords', () => {
    const { command, environment } = services.mongodb as Service & { command: string[] };
    expect(command.join()).toMatch(/mongod .*--replSet rs0 --keyFile \/tmp\/keyfile/);
    expect(environment).toMatchObject({ MONGO_INITDB_ROOT_PASSWORD_FILE: '/secrets/database/root-password' });
  });
});

describe('a real Firebase project', () => {
  test('is served without emulator and demonstration', () => {
    expect(firebase.services).toMatchObject({
      'auth-emulator': { profiles: ['emulator'] },
      seed: { profiles: ['emulator'] },
    });
    // What stays needs neither.
    const needed = all
      .filter(([name]) => name !== 'seed')
      .flatMap(([, { depends_on = {} }]) => Object.entries(depends_on))
      .filter(([, { required }]) => required !== false);
    expect(needed.length).toBeGreaterThan(0);
    for (const [name] of needed) expect(['auth-emulator', 'seed']).not.toContain(name);
  });

  test('has another database, which its user alone may see', () => {
    for (const name of ['api', 'migrate'])
      expect(firebase.services[name]?.environment).toMatchObject({
        AUTH_MODE: 'firebase',
        MONGODB_DATABASE: 'rtr_cloud_kitchen',
        FIREBASE_AUTH_EMULATOR_HOST: '',
      });
    expect(firebase.services['replica-set']?.environment).toEqual({ MONGODB_DATABASE: 'rtr_cloud_kitchen' });
  });

  test('says which variable is missing', () => {
    const needed = [...read('docker-compose.firebase.yml').matchAll(/\$\{(\w+):\?[^}]+\}/g)].map(
      ([, name = '']) => name,
    );
    expect(needed.toSorted()).toEqual([
      'DOMAIN',
      'FIREBASE_API_KEY',
      'FIREBASE_PROJECT_ID',
      'FIREBASE_SERVICE_ACCOUNT_FILE',
    ]);
  });

  test('is published to the world in the place of the demonstration’s address', () => {
    expect(tagOf(over, 'ports')).toBe('!override');
    expect(firebase.services.proxy?.ports).toEqual(['80:80', '443:443', '443:443/udp']);
  });
});

/** What is no matter of taste, such as the order of keys. */
function faultsOf(file: string): string[] {
  const [result] = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] }).lintFiles([file], false);
  if (!result || result.messages.length === 0) throw new Error(`Nobody looked at ${file}.`);
  return result.messages
    .filter(({ severity }: { severity: string }) => severity === 'critical')
    .map(({ message }: { message: string }) => message);
}

/** Lists are merged unless a tag says otherwise. */
function tagOf(document: Document, key: string): string | undefined {
  let tag: string | undefined;
  visit(document, {
    Pair(_, pair) {
      const { key: name, value } = pair as { key: { value?: unknown }; value: { tag?: string } };
      if (name.value === key && !isMap(value)) tag = value.tag;
    },
  });
  return tag;
}
