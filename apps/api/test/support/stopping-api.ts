import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Collection, MongoClient } from 'mongodb';
import pino from 'pino';
import { createApp } from '../../src/app.ts';
import { createFirebaseIdentity } from '../../src/auth/firebase-identity.ts';
import { loadConfig } from '../../src/config.ts';
import { mongoClientOptions } from '../../src/database/client.ts';
import { createMetrics } from '../../src/operations/metrics.ts';

/** The message that this process sends to its parent when a request has stopped or has finished. */
export interface RequestMessage {
  name: string;
  /** The number of steps that the request has begun. A step is a write to the database, or the deletion of a Firebase account. */
  stepCount: number;
  /** The status of the response. Undefined if the request has stopped before its last step. */
  status?: number;
}

// The API as a process of its own, so that a test can kill it. The header `request-name` names a request. If the header
// `stop-at` is 3, the request stops forever before its third step. The first message to the parent is the origin of the API.
const requests = new AsyncLocalStorage<{ message: RequestMessage; stopAt: number }>();

async function beginStep(): Promise<void> {
  const request = requests.getStore();
  if (!request) return;
  request.message.stepCount += 1;
  if (request.message.stepCount !== request.stopAt) return;
  process.send?.(request.message);
  await new Promise(() => {});
}

const writes = [
  'insertOne',
  'updateOne',
  'updateMany',
  'deleteOne',
  'deleteMany',
  'findOneAndUpdate',
  'bulkWrite',
] as const;
for (const method of writes) {
  const original = Collection.prototype[method] as (...args: unknown[]) => Promise<unknown>;
  Object.assign(Collection.prototype, {
    async [method](this: Collection, ...args: unknown[]) {
      await beginStep();
      return original.apply(this, args);
    },
  });
}

const config = loadConfig(process.env);
const client = new MongoClient(config.mongodbUri, mongoClientOptions);
const metrics = createMetrics(client);
const firebase = createFirebaseIdentity(config.auth, { onFirebaseCall: metrics.countFirebaseCall });
const identity: typeof firebase = {
  ...firebase,
  async deleteUser(uid) {
    await beginStep();
    await firebase.deleteUser(uid);
  },
};
const logger = pino({ level: 'silent' });
const handle = createApp({ config, db: client.db(config.mongodbDatabase), identity, logger, metrics });
const server = createServer((req, res) => {
  const message: RequestMessage = { name: String(req.headers['request-name']), stepCount: 0 };
  res.on('finish', () => process.send?.({ ...message, status: res.statusCode }));
  requests.run({ message, stopAt: Number(req.headers['stop-at']) }, () => handle(req, res));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
