// The servers that speed.ts and web-server.ts measure, the data of the API, and the requests to it.
import { randomBytes } from 'node:crypto';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { freePort, type RunningProcess, startNode, waitUntilReady } from '@rtr/dev-stack/processes';
import type { Stack } from '@rtr/dev-stack/stack';
import { MongoClient, ObjectId } from 'mongodb';

const servicesCount = 61;
const reviewsCount = 21;
/** The requests come from this number of client addresses, so that no address reaches a rate limit. */
const addressCount = 5000;

export const meter = `--import=${join(import.meta.dirname, 'meter.ts')}`;
const agent = new Agent({ keepAlive: true, maxSockets: 8 });
const children: RunningProcess[] = [];
let sentCount = 0;

export interface Measured {
  url: string;
  child: RunningProcess;
}

export interface ReceivedResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Copies the demo services and reviews until each list fills a page. Returns the id of the service that the reviews belong
 * to.
 */
export async function fillDatabase({ mongodbUri }: Stack, database: string): Promise<string> {
  const client = await MongoClient.connect(mongodbUri);
  const [services, reviews] = [client.db(database).collection('services'), client.db(database).collection('reviews')];
  const copy = async (collection: typeof services, count: number, changes: object) => {
    const originals = await collection.find().limit(count).toArray();
    const copies = Array.from({ length: count }, (_, index) => ({
      ...originals[index % originals.length],
      ...changes,
      _id: new ObjectId(),
    }));
    await collection.insertMany(copies);
    return copies;
  };
  const [first] = await copy(services, servicesCount, { createdAt: new Date(), reviewCount: reviewsCount });
  if (!first) throw new Error('There are no demo services.');
  await copy(reviews, reviewsCount, { serviceId: first._id, deletedAt: null });
  // Prevents the API from recomputing the summaries during the measurement.
  await services.updateMany({}, { $set: { recheckAt: null } });
  await reviews.updateMany({}, { $unset: { recheckAt: 1 } });
  await client.close();
  return first._id.toHexString();
}

export async function startApi(stack: Stack, database: string, nodeArgs: readonly string[]): Promise<Measured> {
  const port = await freePort();
  const child = startNode({
    name: 'API',
    entry: join(import.meta.dirname, '../../../apps/api/src/server.ts'),
    nodeArgs: [meter, ...nodeArgs],
    env: {
      PORT: String(port),
      MONGODB_URI: stack.mongodbUri,
      MONGODB_DATABASE: database,
      AUTH_MODE: 'emulator',
      FIREBASE_AUTH_EMULATOR_HOST: new URL(stack.addresses.authEmulator ?? '').host,
      JWT_SECRETS: `bench:${randomBytes(32).toString('base64')}`,
      LOG_LEVEL: 'info',
    },
  });
  return waitUntilStarted(child, port, '/readyz');
}

/** The server `kind` of speed-peer.ts. The server `baseline` sends the responses that `storeResponse` stores in it. */
export async function startPeer(kind: string, stack: Stack, database: string): Promise<Measured> {
  const port = await freePort();
  const child = startNode({
    name: kind,
    entry: join(import.meta.dirname, 'speed-peer.ts'),
    nodeArgs: [meter],
    args: [kind, String(port), stack.mongodbUri, database],
    env: { NODE_ENV: 'production' },
  });
  return waitUntilStarted(child, port, '/services?limit=3');
}

/** Stores a response in the server `baseline`, which sends it for each GET request of this path. */
export async function storeResponse(
  baseline: Measured,
  path: string,
  { headers, body }: Pick<ReceivedResponse, 'headers' | 'body'>,
): Promise<void> {
  await send(baseline, path, { 'X-Headers': JSON.stringify(headers) }, 'POST', body);
}

/** Waits until the server responds. */
export async function waitUntilStarted(child: RunningProcess, port: number, path: string): Promise<Measured> {
  children.push(child);
  const url = `http://127.0.0.1:${port}`;
  await waitUntilReady(url + path, new AbortController().signal);
  return { url, child };
}

/** Stops all servers that were started, and closes the connections to them. */
export async function stopAll(): Promise<void> {
  agent.destroy();
  await Promise.all(children.map((child) => child.stop()));
}

export async function cpuMicrosecondsOf(child: RunningProcess): Promise<number> {
  const { user, system } = (await child.sendRequest('cpu')) as NodeJS.CpuUsage;
  return user + system;
}

export function send(
  { url }: Pick<Measured, 'url'>,
  path: string,
  headers: Record<string, string>,
  method = 'GET',
  content?: Buffer,
): Promise<ReceivedResponse> {
  sentCount += 1;
  const number = sentCount % addressCount;
  const address = `203.0.${Math.floor(number / 250)}.${number % 250}`;
  return new Promise((resolve, reject) => {
    request(url + path, { agent, method, headers: { 'X-Forwarded-For': address, ...headers } }, (res) => {
      buffer(res).then((body) => resolve({ status: res.statusCode ?? 0, headers: res.headers, body }), reject);
    })
      .on('error', reject)
      .end(content);
  });
}
