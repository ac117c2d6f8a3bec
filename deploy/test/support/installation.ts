import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { freePort, waitUntilReady } from '@rtr/dev-stack/processes';
import { MongoClient } from 'mongodb';
import { afterAll, inject } from 'vitest';

/**
 * If an instance resets a connection, Caddy may send the request to the next instance. But Caddy 2.6 cannot keep the body of
 * a request for a second attempt, so that attempt fails with 503.
 */
export const repeatsBodies = !execFileSync('caddy', ['version'], { encoding: 'utf8' }).startsWith('2.6.');

const images = inject('images');
const api = join(images, 'api');

/** The user that runs the programs: `nobody` if the tests run as root, otherwise the user of the tests. */
const unprivileged = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

export interface Running {
  child: ChildProcess;
  lines: string[];
  /** Resolves with the exit code of the program. */
  exited: Promise<number | null>;
}

const children = new Set<ChildProcess>();
const cleanups: (() => unknown)[] = [];
// Vitest rejects a hook that is registered inside a test or another hook. So this hook is registered here.
afterAll(async () => {
  const closed = [...children].map((child) => once(child, 'close'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(closed);
  for (const cleanup of cleanups) await cleanup();
});

/** Starts a program as an unprivileged user. The environment of the program contains only the variables in `env`. */
function start(file: string, args: readonly string[], env: Record<string, string>, cwd: string): Running {
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], ...unprivileged });
  children.add(child);
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', (line) => lines.push(line));
  const exited = once(child, 'close').then(([code]) => {
    children.delete(child);
    return code as number | null;
  });
  return { child, lines, exited };
}

/**
 * Starts a Node program as an unprivileged user. Uses the copy of Node.js in the folder `images`, because every user
 * can execute this copy.
 */
export function startProgram(args: readonly string[], env: Record<string, string> = {}, cwd = api): Running {
  return start(join(images, 'node'), args, env, cwd);
}

/** Runs a Node program of the API's container image until it exits. Resolves with the lines of its output. */
export async function job(args: readonly string[], env: Record<string, string> = {}): Promise<string[]> {
  const { lines, exited } = startProgram(args, env);
  const code = await exited;
  if (code !== 0) throw new Error(`${args.join(' ')} exited with code ${code}:\n${lines.join('\n')}`);
  return lines;
}

/** Creates a folder that belongs to the unprivileged user. The folder is removed after the last test of the file. */
export function ownFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rtr-production-'));
  if (unprivileged.uid !== undefined) chownSync(folder, unprivileged.uid, unprivileged.gid);
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

export interface Installation {
  /** The public origin of the installation, which is the origin of the proxy. */
  origin: string;
  startApi(host: string): Promise<Running>;
  startWeb(host: string): Promise<Running>;
  apiOrigin(host: string): string;
  webOrigin(host: string): string;
  env: Record<string, string>;
  proxy: Running;
}

/**
 * Creates a database and secrets, and starts Caddy as the proxy. The tests themselves start the instances of the API and the
 * web server. `hosts` contains the loopback addresses of the instances.
 */
export async function install({ hosts }: { hosts: readonly string[] }): Promise<Installation> {
  const [proxyPort, apiPort, webPort] = [await freePort(), await freePort(), await freePort()];
  const [names, folder] = [await nameServer(hosts), ownFolder()];
  const origin = `http://localhost:${proxyPort}`;
  const apiOrigin = (host: string) => `http://${host}:${apiPort}`;
  const webOrigin = (host: string) => `http://${host}:${webPort}`;
  const apiSecrets = join(folder, 'api');
  await job(['dist/secrets.js', apiSecrets, join(folder, 'migrate'), join(folder, 'database')]);
  const mongodbUri = join(folder, 'mongodb-uri');
  writeFileSync(mongodbUri, inject('mongodbUri'));
  chmodSync(mongodbUri, 0o444);
  const database = `t_${randomBytes(8).toString('hex')}_demo`;
  const identity = {
    NODE_ENV: 'production',
    FIREBASE_PROJECT_ID: 'demo-rtr-cloud-kitchen',
    FIREBASE_AUTH_EMULATOR_HOST: inject('authEmulatorHost'),
  };
  const env = {
    ...identity,
    AUTH_MODE: 'emulator',
    MONGODB_DATABASE: database,
    MONGODB_URI_FILE: mongodbUri,
    JWT_SECRETS_FILE: join(apiSecrets, 'jwt-secrets'),
    WEB_ORIGINS: origin,
  };
  await job(['dist/migrate.js'], env);
  cleanups.push(async () => {
    names.close();
    const client = new MongoClient(inject('mongodbUri'));
    await client.db(database).dropDatabase();
    await client.close();
  });

  const health = `http://127.0.0.1:${await freePort()}`;
  const proxy = start(
    join(images, 'caddy'),
    ['run', '--config', 'Caddyfile', '--adapter', 'caddyfile'],
    {
      XDG_CONFIG_HOME: join(folder, 'config'),
      XDG_DATA_HOME: join(folder, 'data'),
      SITE_ADDRESS: `${origin}, ${origin.replace('localhost', '127.0.0.1')}`,
      HEALTH_ADDRESS: health,
      READ_BODY_TIMEOUT: '2s',
      ...(!repeatsBodies && { REQUEST_BUFFERS: '', REPEATED_WRITE: 'NONE' }),
      API_PORT: String(apiPort),
      WEB_PORT: String(webPort),
      RESOLVERS: `resolvers udp/${names.address}`,
    },
    join(images, 'proxy'),
  );
  await ready(proxy, `${health}/healthz`);

  const startReady = async (running: Running, url: string) => {
    await ready(running, url);
    return running;
  };
  return {
    origin,
    apiOrigin,
    webOrigin,
    env,
    proxy,
    startApi: (host) =>
      startReady(
        startProgram(['--enable-source-maps', 'dist/server.js'], { ...env, HOST: host, PORT: String(apiPort) }),
        `${apiOrigin(host)}/readyz`,
      ),
    startWeb: (host) =>
      startReady(
        startProgram(
          [...containerDns(hosts), '--enable-source-maps', 'server/main.js'],
          {
            ...identity,
            AUTH_MODE: 'emulator',
            FIREBASE_API_KEY: 'demo',
            WEB_HOST: host,
            WEB_PORT: String(webPort),
            API_ORIGIN: `http://api:${apiPort}`,
            WEB_ORIGINS: origin,
          },
          join(images, 'web'),
        ),
        `${webOrigin(host)}/healthz`,
      ),
  };
}

/** Returns the arguments that give a Node program a fake DNS, in which the name `api` has the addresses of all instances. */
function containerDns(hosts: readonly string[]): string[] {
  const addresses = JSON.stringify(hosts.map((address) => ({ address, family: 4 })));
  const script = `import dns from 'node:dns';
    const { lookup } = dns;
    dns.lookup = (name, options, done) => (name === 'api' ? done(null, ${addresses}) : lookup(name, options, done));`;
  return ['--import', `data:text/javascript,${encodeURIComponent(script)}`];
}

async function ready({ lines, exited }: Running, url: string): Promise<void> {
  const hasExited = new AbortController();
  const failed = exited.then(() => {
    hasExited.abort();
    throw new Error(`The process exited before it was ready:\n${lines.join('\n')}`);
  });
  failed.catch(() => undefined);
  await Promise.race([waitUntilReady(url, hasExited.signal), failed]);
}

/**
 * Starts a DNS server that answers every query for IPv4 addresses with all of these addresses, like the DNS of a container
 * network.
 */
async function nameServer(hosts: readonly string[]): Promise<{ address: string; close: () => void }> {
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    const end = query.indexOf(0, 12) + 5;
    // The query type A (number 1) asks for IPv4 addresses.
    const addresses = query.readUInt16BE(end - 4) === 1 ? hosts : [];
    const header = Buffer.alloc(12);
    query.copy(header, 0, 0, 2);
    header.writeUInt16BE(0x85_80, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(addresses.length, 6);
    const records = addresses.map((host) =>
      Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...host.split('.').map(Number)]),
    );
    socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return { address: `127.0.0.1:${socket.address().port}`, close: () => socket.close() };
}

export interface Response {
  status: number | undefined;
  headers: IncomingMessage['headers'];
  body: string;
}

/** Sends a request. `fetch` cannot be used, because it decompresses the body and normalizes the path. */
export async function send(
  origin: string,
  path: string,
  { method = 'GET', headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  const { hostname, port } = new URL(origin);
  const req = request({ hostname, port, path, method, headers, agent: false }).end(body);
  const [res] = (await once(req, 'response')) as [IncomingMessage];
  return { status: res.statusCode, headers: res.headers, body: await text(res) };
}
