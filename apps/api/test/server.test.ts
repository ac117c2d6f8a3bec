import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type ClientRequest, createServer as createHttpServer, type IncomingMessage, request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { callAuthEmulator } from '@rtr/dev-stack/auth-emulator';
import { MongoClient, ObjectId } from 'mongodb';
import { afterAll, afterEach, describe, expect, inject, test } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { migrate } from '../src/database/migrations.ts';
import { noQuotas } from '../src/quotas.ts';
import { createStores } from '../src/stores.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { startMongodbProxy, startTcpProxy } from './support/tcp-proxy.ts';

const database = `t_${randomBytes(8).toString('hex')}_demo`;
const admin = new MongoClient(inject('mongodbUri'));
const mongodb = await startMongodbProxy(inject('mongodbUri'));
const emulator = await startTcpProxy(inject('authEmulatorHost'));
await migrate(admin.db(database));

const children = new Set<ChildProcess>();
afterEach(async () => {
  await Promise.all([mongodb.reconnect(), emulator.reconnect()]);
  for (const child of children) child.kill('SIGKILL');
});
afterAll(async () => {
  await admin.db(database).dropDatabase();
  await admin.close();
});

interface Running {
  child: ChildProcess;
  lines: string[];
  origin: string;
}

function spawnServer(env: Record<string, string>): { child: ChildProcess; lines: string[] } {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../src/server.ts', import.meta.url))], {
    env: {
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      PORT: '0',
      MONGODB_URI: mongodb.uri,
      MONGODB_DATABASE: database,
      FIREBASE_AUTH_EMULATOR_HOST: inject('authEmulatorHost'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.add(child);
  child.on('exit', () => children.delete(child));
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', (line) => lines.push(line));
  return { child, lines };
}

async function start(env: Record<string, string> = {}): Promise<Running> {
  const { child, lines } = spawnServer(env);
  await expect.poll(() => lines.join()).toContain('listens at');
  const [, origin = ''] = /listens at (http:\/\/[\d.:]+)/.exec(lines.join()) ?? [];
  return { child, lines, origin };
}

const statusOf = async (address: string) => (await fetch(address)).status;

/** Sends a request on a keep-alive connection. */
function getKeepAlive(agent: Agent, address: string): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    request(address, { agent }, (response) => {
      response.resume().on('end', () => {
        resolve({ status: response.statusCode ?? 0, connection: response.headers.connection });
      });
    })
      .on('error', reject)
      .end();
  });
}

test('the API logs its address in one line, and logs no secrets', async () => {
  const secret = randomBytes(32).toString('base64');
  const { lines, origin } = await start({ JWT_SECRETS: `a:${secret}` });
  expect(lines.filter((line) => line.includes(origin))).toHaveLength(1);
  await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(200);
  expect(lines.join()).not.toContain(secret);
  expect(lines.join()).not.toContain(mongodb.uri);
});

test('the API with an empty database is not ready until `migrate` has run', async () => {
  const empty = `${database.slice(0, -'_demo'.length)}_empty_demo`;
  const { origin } = await start({ MONGODB_DATABASE: empty });
  expect(await statusOf(`${origin}/readyz`)).toBe(503);
  await migrate(admin.db(empty));
  await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(200);
  await admin.db(empty).dropDatabase();
});

test('the API serves metrics only on the port in METRICS_PORT, and serves no metrics if this variable is not set', async () => {
  const { origin, lines } = await start({ METRICS_PORT: '0' });
  const [address = ''] = /http:[^ "]+\/metrics/.exec(lines.join()) ?? [];
  await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(200);
  expect(await (await fetch(address)).text()).toMatch(/mongodb_command_duration_seconds_count\{command="ping"\} [1-9]/);
  expect(await statusOf(`${origin}/metrics`)).toBe(404);
  expect(await statusOf(address.replace('/metrics', '/services'))).toBe(404);
  expect((await start()).lines.join()).not.toContain('metrics');
});

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: object }[];
}
interface Export {
  resourceSpans: { resource: { attributes: object[] }; scopeSpans: { spans: Span[] }[] }[];
}

describe('traces', async () => {
  const received: Export[] = [];
  const collector = createHttpServer((req, res) => {
    void json(req).then((body) => {
      if (req.url === '/v1/traces') received.push(body as Export);
      res.writeHead(200, { 'Content-Type': 'application/json' }).end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(collector, 'listening');
  afterAll(() => collector.close());
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${(collector.address() as AddressInfo).port}`;
  const spans = () =>
    received.flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans[0]?.spans ?? []));
  /**
   * A module that prints which modules of the OpenTelemetry SDK are loaded. It leaves out @opentelemetry/api, which
   * prom-client always loads.
   */
  const printLoadedModules = `--import=data:text/javascript,${encodeURIComponent(
    'import{registerHooks}from"node:module";registerHooks({load(url,context,next){if(/@opentelemetry.(?!api)/.test(url))console.log("LOADED "+url);return next(url,context)}})',
  )}`;

  test('contain a span for each request with child spans for its database commands, and contain no request data', async () => {
    const { origin, lines } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_SERVICE_NAME: 'kitchen-under-test',
      NODE_OPTIONS: printLoadedModules,
    });
    expect(lines.join()).toContain('LOADED');
    const [traceId, parentId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
    const headers = { traceparent: `00-${traceId}-${parentId}-01`, 'X-Request-Id': 'the-one' };
    await fetch(`${origin}/services?q=secretword`);
    await fetch(`${origin}/services?limit=1`, { headers });
    await expect.poll(() => spans().filter(({ name }) => name === 'GET /services')).toHaveLength(2);
    const span = spans().find(({ parentSpanId }) => parentSpanId === parentId);
    expect(span).toMatchObject({ name: 'GET /services', traceId });
    expect(span?.attributes).toEqual(
      expect.arrayContaining([
        { key: 'http.route', value: { stringValue: '/services' } },
        { key: 'http.response.status_code', value: { intValue: 200 } },
        {
          key: 'http.response.header.x-request-id',
          value: { arrayValue: { values: [{ stringValue: 'the-one' }] } },
        },
      ]),
    );
    const below = () => spans().filter(({ parentSpanId }) => parentSpanId === span?.spanId);
    await expect
      .poll(() =>
        below()
          .map(({ name }) => name)
          .toSorted(),
      )
      .toEqual(['aggregate', 'find']);
    expect(below()[0]?.attributes).toContainEqual({ key: 'db.collection.name', value: { stringValue: 'services' } });
    expect(received[0]?.resourceSpans[0]?.resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'kitchen-under-test' },
    });
    expect(JSON.stringify(received)).not.toContain('secretword');
  });

  test('are all exported before the process exits', async () => {
    const { child, origin } = await start({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_BSP_SCHEDULE_DELAY: '60000' });
    await fetch(`${origin}/last-one`);
    child.kill('SIGTERM');
    await once(child, 'exit');
    expect(spans().flatMap(({ attributes }) => attributes)).toContainEqual({
      key: 'http.response.status_code',
      value: { intValue: 404 },
    });
  });

  test('are dropped with a log line when they cannot be exported, and requests succeed', async () => {
    const { origin, lines } = await start({
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
    });
    expect(await statusOf(`${origin}/services`)).toBe(200);
    await expect.poll(() => lines.join()).toContain('traces could not be sent');
    expect(await statusOf(`${origin}/services`)).toBe(200);
  });

  test('do not need the OpenTelemetry SDK while they are turned off, so the API does not load it', async () => {
    const { lines } = await start({ NODE_OPTIONS: printLoadedModules });
    const off = await start({
      NODE_OPTIONS: printLoadedModules,
      OTEL_EXPORTER_OTLP_ENDPOINT,
      OTEL_SDK_DISABLED: 'true',
    });
    expect([...lines, ...off.lines].join()).not.toContain('LOADED');
  });
});

test('the API accepts connections before the database is available, and becomes ready when it is available', async () => {
  await mongodb.disconnect();
  const { origin } = await start();
  expect(await statusOf(`${origin}/healthz`)).toBe(200);
  expect(await statusOf(`${origin}/readyz`)).toBe(503);
  expect(await statusOf(`${origin}/services`)).toBe(503);
  await mongodb.reconnect();
  await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(200);
  expect(await statusOf(`${origin}/services`)).toBe(200);
});

// On a busy machine, the recomputation can take longer than the deletions wait. So this test has five attempts. If the
// recomputation waits for the deletions, all of them fail.
test('the API recomputes stale summaries while account deletions wait for an identity provider that does not respond', {
  retry: 4,
}, async () => {
  const collections = getCollections(admin.db(database));
  const { accounts, services } = collections;
  const { insertedId } = await createStores(collections, ['http://localhost:3000'], noQuotas).services.insert(
    someLister,
    blankService,
  );
  const _id = new ObjectId(insertedId);
  await services.updateOne({ _id }, { $set: { summaryVersion: 1, recheckAt: new Date() } });
  // The sweep that finishes these deletions waits 4 s for Firebase, and then logs “sweep failed”. The summary must be
  // recomputed before that.
  const tombstones = Array.from({ length: 30 }, () => ({ _id: randomUUID(), deletedAt: new Date(), finishedAt: null }));
  await accounts.insertMany(tombstones);
  emulator.stall();
  const { lines } = await start({ FIREBASE_AUTH_EMULATOR_HOST: emulator.host });
  await expect.poll(async () => (await services.findOne({ _id }))?.summarisedVersion).toBe(2);
  expect(lines.join()).not.toContain('sweep failed');
  await accounts.deleteMany();
});

test('the API exits with 1 and lists all invalid variables when the configuration is invalid', async () => {
  const { child, lines } = spawnServer({ PORT: 'x', WEB_ORIGINS: '*', LOG_LEVEL: 'loud' });
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(1);
  for (const name of ['PORT', 'WEB_ORIGINS', 'LOG_LEVEL']) expect(lines.join('\n')).toContain(`- ${name} `);
});

test('the API exits with 1 and names the address when its port is in use', async () => {
  const blocker = createServer().listen(0, '127.0.0.1');
  await once(blocker, 'listening');
  const { port } = blocker.address() as { port: number };
  const { child, lines } = spawnServer({ PORT: String(port) });
  const [code] = (await once(child, 'exit')) as [number];
  blocker.close();
  expect(code).toBe(1);
  expect(lines.join()).toContain(`cannot listen at 127.0.0.1:${port}`);
});

test('on SIGTERM, GET /readyz returns 503 while the API still accepts requests; then the API completes pending requests and exits', async () => {
  const { child, origin } = await start({ SHUTDOWN_DELAY_SECONDS: '5' });
  const agent = new Agent({ keepAlive: true });
  await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(200);
  expect(await getKeepAlive(agent, `${origin}/readyz`)).toEqual({ status: 200, connection: 'keep-alive' });
  // This request starts before the server stops listening. Its body is sent only after the server has stopped listening.
  const pending = await startRequest(origin);
  expect(await statusOf(`${origin}/readyz`)).toBe(200);

  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await expect.poll(() => statusOf(`${origin}/readyz`)).toBe(503);
  expect(await getKeepAlive(agent, `${origin}/services`)).toEqual({ status: 200, connection: 'close' });

  await expect.poll(() => statusOf(`${origin}/healthz`).catch(() => 'closed')).toBe('closed');
  const response = once(pending, 'response');
  pending.end('{"title":"Hood"}');
  const [{ statusCode }] = (await response) as [IncomingMessage];
  expect(statusCode).toBe(201);
  expect(await exit).toEqual([0, null]);
});

/** Starts a request of a customer. The header announces a body of 16 bytes, but the body is not sent yet. */
async function startRequest(origin: string): Promise<ClientRequest> {
  const { token } = await customerOf(origin);
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Content-Length': '16' };
  const asked = request(`${origin}/services`, { method: 'POST', headers });
  asked.flushHeaders();
  await once(asked, 'socket');
  return asked;
}

async function customerOf(origin: string): Promise<{ token: string }> {
  const { email, idToken } = await signUp();
  return post<{ token: string }>(`${origin}/jwt`, { email }, idToken);
}

async function signUp(): Promise<{ email: string; idToken: string }> {
  const email = `${randomUUID()}@kitchen.example`;
  const account = { email, password: randomUUID(), returnSecureToken: true };
  return { email, ...(await callAuthEmulator(`http://${inject('authEmulatorHost')}`, 'accounts:signUp', account)) };
}

async function post<T>(address: string, body: object, token?: string): Promise<T> {
  const headers = { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }) };
  return (await fetch(address, { method: 'POST', headers, body: JSON.stringify(body) })).json() as Promise<T>;
}
