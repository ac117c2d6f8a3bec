import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { config as loadDotenv } from 'dotenv';
import { MongoClient } from 'mongodb';
import { createApp, createSweeps } from './app.ts';
import { firebaseIdentity } from './auth/identity.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { clientOptions, databaseOf } from './database.ts';
import { apiLogger } from './http/logging.ts';
import { createMetrics, metricsServer } from './operations/metrics.ts';
import { startTracing } from './operations/tracing.ts';

/** How long answers under way may take once the API closes, in milliseconds. */
const patience = 15_000;
const lastTraces = 3000;
const sweepEvery = 60_000;
const connectEvery = 500;

loadDotenv({ quiet: true });
const config = configOrExit();
const logger = apiLogger(config.logLevel);
const monitorCommands = config.metrics !== undefined || config.tracing;
const client = new MongoClient(config.mongodbUri, { ...clientOptions, monitorCommands });
const db = databaseOf(client, config.mongodbDatabase);
const metrics = createMetrics(client);
const tracing = config.tracing ? await startTracing(client, logger) : undefined;
const identity = firebaseIdentity(config.auth, { asked: metrics.firebaseAsked });
const closing = new AbortController();

const server = createServer(
  {
    // Longer than a proxy keeps its idle connections, so that none is closed while a request is on its way.
    keepAliveTimeout: 75_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    connectionsCheckingInterval: 5000, // the two above hold only as often as this looks
  },
  createApp({ config, db, identity, logger, metrics, trace: tracing?.request, closing: closing.signal }),
);
process.once('SIGTERM', () => void close());
process.once('SIGINT', () => void close());
// Still answered while the API closes, so that its last minute is seen too.
if (config.metrics)
  logger.info(`The metrics are at ${await listen(metricsServer(metrics), config.metrics, 'METRICS_')}/metrics`);
logger.info(`The API listens at ${await listen(server, config)}`);
await connect();
await Promise.all(createSweeps(db, identity).map(sweepRegularly));

function configOrExit(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n.env.example says what each variable is for.\n`);
    return process.exit(1);
  }
}

async function listen(server: Server, { host, port }: { host: string; port: number }, of = ''): Promise<string> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    logger.fatal({ err: error }, `cannot listen at ${host}:${port}. Free the port, or set ${of}HOST and ${of}PORT.`);
    process.exit(1);
  }
  const { address, port: taken, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
}

/** A client that failed to connect once fails every command from then on, until it is told to connect again. */
async function connect(): Promise<void> {
  let told = false;
  while (!closing.signal.aborted) {
    try {
      await client.connect();
      return;
    } catch (error) {
      if (!told) logger.warn({ err: error }, 'The database does not answer. The API waits for it, unready.');
      told = true;
      await wait(connectEvery, undefined, { signal: closing.signal }).catch(() => undefined);
    }
  }
}

/** Each sweep has a loop of its own: one that waits for the identity provider delays no other. */
async function sweepRegularly(sweep: () => Promise<void>): Promise<void> {
  while (!closing.signal.aborted) {
    await sweep().catch((error: unknown) => {
      if (!closing.signal.aborted) logger.warn({ err: error }, 'unfinished work stays for the next sweep');
    });
    await wait(sweepEvery, undefined, { signal: closing.signal }).catch(() => undefined);
  }
}

/** A door that closes cuts off who still waits at it, after a busy moment say. Each turn of the loop lets one in. */
async function letIn(): Promise<void> {
  let came = true;
  server.on('connection', () => {
    came = true;
  });
  for (let turns = 0; came && turns < 1000; turns += 1) {
    came = false;
    await turn();
  }
}

/** Unready at once, so that nobody sends more; closed a while later; gone when the last answer is. */
async function close(): Promise<void> {
  logger.info('closing');
  closing.abort();
  await wait(config.shutdownDelaySeconds * 1000);
  await letIn();
  const impatient = setTimeout(() => server.closeAllConnections(), patience);
  await new Promise((resolve) => server.close(resolve));
  clearTimeout(impatient);
  // The last traces are worth a moment, not the rest of what an orchestrator grants.
  if (tracing) await Promise.race([tracing.end().catch(() => undefined), wait(lastTraces)]);
  await Promise.all([client.close(), identity.close()]);
  process.exit(0);
}
