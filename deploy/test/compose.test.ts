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
const firebaseOverride = parseDocument(read('docker-compose.firebase.yml'), { merge: true, logLevel: 'silent' });
const firebase = firebaseOverride.toJS() as { services: Record<string, Partial<Service>> };
const all = Object.entries(services);
/** The services that run permanently. The other services are jobs: they exit when they have finished. */
const longRunning = all.filter(([, { restart }]) => restart === 'unless-stopped');

test.each(files)('the file %s is valid according to the Compose specification', (name) => {
  expect(errorsOf(join(root, name))).toEqual([]);
});

describe('in docker-compose.yml', () => {
  test.each(all)('the service %s runs without privileges and with a read-only file system', (_name, service) => {
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

  test.each(all)('the service %s has a memory limit and a limit of processes', (name, { mem_limit, pids_limit }) => {
    const isMongodb = name.endsWith('mongodb');
    // mongod uses half of the memory above 1 GB for its cache, but at least 256 MB. The default limit of 2 GB gives the
    // cache 512 MB.
    expect(mem_limit).toBe(isMongodb ? '${MONGODB_MEMORY:-2g}' : name === 'api' ? '1g' : '512m');
    expect(pids_limit).toBe(isMongodb ? 4096 : 256);
  });

  test.each(all)(
    'the service %s runs a container image of this project, or a public image with a complete version number',
    (_name, { image, pull_policy }) => {
      const isOwnImage = image.startsWith('rtr-cloud-kitchen/');
      expect(image).toMatch(isOwnImage ? /:\$\{VERSION:-local\}$/ : /^\w+:\d+\.\d+\.\d+-\w+(@sha256:[\da-f]{64})?$/);
      // Nobody has reserved the names of our container images in a registry. So a pull could download the image of a
      // stranger.
      expect(pull_policy).toBe(isOwnImage ? 'never' : undefined);
    },
  );

  test('every service that builds a container image gives it a unique name, because two builds with the same name fail', () => {
    const ownImages = new Set(
      all.map(([, { image }]) => image).filter((image) => image.startsWith('rtr-cloud-kitchen/')),
    );
    const built = all.filter(([, { build }]) => build);
    expect(built.map(([, { image }]) => image).toSorted()).toEqual([...ownImages].toSorted());
    for (const [, { build }] of built) expect(read('deploy/Dockerfile')).toContain(` AS ${build?.target}\n`);
    // Compose would not build the container image of a service in an inactive profile, so these services have no profiles.
    for (const [, { profiles }] of built) expect(profiles).toBeUndefined();
  });

  test.each(all)(
    'the service %s mounts only existing files (read-only) and declared volumes',
    (_name, { volumes = [] }) => {
      const [bindMounts, namedVolumes] = [true, false].map((wanted) =>
        volumes.filter((volume) => volume.startsWith('.') === wanted),
      );
      for (const volume of bindMounts ?? []) {
        const [source = '', , mode] = volume.split(':');
        expect([existsSync(join(root, source)), mode]).toEqual([true, 'ro']);
      }
      for (const volume of namedVolumes ?? []) expect(Object.keys(composition.volumes)).toContain(volume.split(':')[0]);
    },
  );

  test.each(all)(
    'the service %s waits until the services that it needs are healthy and the jobs that it needs have completed',
    (_name, { depends_on = {} }) => {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        const isJob = services[name]?.restart === 'no';
        expect(condition).toBe(isJob ? 'service_completed_successfully' : 'service_healthy');
      }
    },
  );

  test.each(longRunning)(
    'the service %s has a health check whose command is a list of arguments',
    (_name, { healthcheck }) => {
      expect(healthcheck?.test[0]).toBe('CMD');
      for (const word of healthcheck?.test ?? []) expect(word).toBeTypeOf('string');
    },
  );

  test('every job exits when it has finished, and another service waits for its exit', () => {
    const jobs = all.filter(([, { restart }]) => restart === 'no').map(([name]) => name);
    expect(jobs.toSorted()).toEqual(['migrate', 'replica-set', 'secrets', 'seed']);
    expect(longRunning).toHaveLength(all.length - jobs.length);
    const dependencies = new Set(all.flatMap(([, { depends_on = {} }]) => Object.keys(depends_on)));
    for (const job of jobs) expect(dependencies).toContain(job);
  });
});

describe('the Compose file of the demonstration', () => {
  test('publishes only the port of the proxy, and only on localhost', () => {
    for (const port of all.flatMap(([, { ports = [] }]) => ports)) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
    const published = all.filter(([, { ports, profiles }]) => ports && !profiles).map(([name]) => name);
    expect(published).toEqual(['proxy']);
  });

  test('requires no environment variable', () => {
    const variables = [...JSON.stringify(composition).matchAll(/\$\{[^}]*\}/g)].map(([variable]) => variable);
    for (const variable of variables)
      expect(variable).toMatch(
        /^\$\{((VERSION|LOG_LEVEL|(API|WEB)_INSTANCES|MONGODB_(MEMORY|OPEN_FILES)):-\w+|(SMTP_URL|MAIL_FROM):-)\}$/,
      );
  });

  test('uses the Auth emulator only with a demo database', () => {
    for (const name of ['api', 'migrate', 'seed'])
      expect(services[name]?.environment).toMatchObject({
        AUTH_MODE: 'emulator',
        MONGODB_DATABASE: expect.stringMatching(/_demo$/),
      });
    expect(services['replica-set']?.environment?.MONGODB_DATABASE).toBe(services.api?.environment?.MONGODB_DATABASE);
  });

  test('connects only the database, the services that use it and the job `secrets` to the network of the database', () => {
    expect(composition.networks.back).toEqual({ internal: true });
    const connected = all.filter(([, { networks = [] }]) => networks.includes('back')).map(([name]) => name);
    expect(connected.toSorted()).toEqual(['api', 'migrate', 'mongodb', 'replica-set', 'secrets', 'seed']);
    for (const name of ['proxy', 'web']) expect(services[name]?.networks).toEqual(['front']);
  });

  test('allows only the job `secrets` to write secrets, and allows each service to read only its own secrets', () => {
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

  test('gives the connection string of the database user `migrate` only to the job `migrate`, even with a real Firebase project', () => {
    const uriOf = (name: string) => services[name]?.environment?.MONGODB_URI_FILE;
    expect(uriOf('migrate')).toBe('/secrets/migrate/mongodb-uri');
    for (const name of ['api', 'seed']) expect(uriOf(name)).toBe('/secrets/api/mongodb-uri');
    for (const name of ['api', 'migrate'])
      expect(firebase.services[name]?.environment).not.toHaveProperty('MONGODB_URI_FILE');
  });

  test('gives the password of the mail server only to the API', () => {
    const names = all.filter(([, { environment }]) => environment?.SMTP_URL !== undefined).map(([name]) => name);
    expect(names).toEqual(['api']);
    expect(services.api?.environment).toMatchObject({ MAIL_FROM: '${MAIL_FROM:-}' });
  });

  test('runs MongoDB as a replica set with passwords', () => {
    const { command, environment } = services.mongodb as Service & { command: string[] };
    expect(command.join()).toMatch(/mongod .*--replSet rs0 --keyFile \/tmp\/keyfile/);
    expect(environment).toMatchObject({ MONGO_INITDB_ROOT_PASSWORD_FILE: '/secrets/database/root-password' });
  });
});

describe('the Compose file for a real Firebase project', () => {
  test('runs neither the Auth emulator nor the job that adds the demo data', () => {
    expect(firebase.services).toMatchObject({
      'auth-emulator': { profiles: ['emulator'] },
      seed: { profiles: ['emulator'] },
    });
    const required = all
      .filter(([name]) => name !== 'seed')
      .flatMap(([, { depends_on = {} }]) => Object.entries(depends_on))
      .filter(([, { required }]) => required !== false);
    expect(required.length).toBeGreaterThan(0);
    for (const [name] of required) expect(['auth-emulator', 'seed']).not.toContain(name);
  });

  test('uses a separate database, and gives the database user access only to this database', () => {
    for (const name of ['api', 'migrate'])
      expect(firebase.services[name]?.environment).toMatchObject({
        AUTH_MODE: 'firebase',
        MONGODB_DATABASE: 'rtr_cloud_kitchen',
        FIREBASE_AUTH_EMULATOR_HOST: '',
      });
    expect(firebase.services['replica-set']?.environment).toEqual({ MONGODB_DATABASE: 'rtr_cloud_kitchen' });
  });

  test('has an error message for each required variable that is not set', () => {
    const matches = JSON.stringify(firebase).matchAll(/\$\{(\w+):\?[^}]+\}/g);
    const variables = new Set([...matches].map(([, name = '']) => name));
    expect([...variables].toSorted()).toEqual([
      'DOMAIN',
      'FIREBASE_API_KEY',
      'FIREBASE_PROJECT_ID',
      'FIREBASE_SERVICE_ACCOUNT_FILE',
    ]);
  });

  test('publishes the ports 80 and 443 instead of the port of the demonstration', () => {
    expect(tagOf(firebaseOverride, 'ports')).toBe('!override');
    expect(firebase.services.proxy?.ports).toEqual(['80:80', '443:443', '443:443/udp']);
  });
});

/** Returns the errors that the linter finds, except those about style, such as the order of keys. */
function errorsOf(file: string): string[] {
  const [result] = new DCLinter({ rules: {}, quiet: true, debug: false, exclude: [] }).lintFiles([file], false);
  if (!result || result.messages.length === 0) throw new Error(`The linter did not read ${file}.`);
  return result.messages
    .filter(({ severity }: { severity: string }) => severity === 'critical')
    .map(({ message }: { message: string }) => message);
}

/** Returns the YAML tag of a list. Compose merges the lists of several files unless the tag is !override. */
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
