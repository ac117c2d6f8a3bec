import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { closeGracefully, createHttpServer } from '@rtr/http-server';
import { createMetricsServer } from '@rtr/http-server/metrics';
import { config as loadDotenv } from 'dotenv';
import { MongoClient } from 'mongodb';
import { createApp, createSweeps } from './app.ts';
import { createFirebaseIdentity } from './auth/firebase-identity.ts';
import { type Config, ConfigError, loadConfig } from './config.ts';
import { mongoClientOptions, openDatabase } from './database/client.ts';
import { DataVersionError, hasDataVersion } from './database/data-version.ts';
import { createLogger } from './http/logging.ts';
import { createMailServer } from './news/mail-server.ts';
import { createMetrics } from './operations/metrics.ts';
import { startTracing } from './operations/tracing.ts';

const traceExportTimeoutMs = 3000;
const sweepIntervalMs = 60_000;
const connectRetryDelayMs = 500;

loadDotenv({ quiet: true });
const config = loadConfigOrExit();
const logger = createLogger(config.logLevel);
const monitorCommands = config.metrics !== undefined || config.tracing;
const client = new MongoClient(config.mongodbUri, { ...mongoClientOptions, monitorCommands });
const db = openDatabase(client, config.mongodbDatabase);
const metrics = createMetrics(client);
const tracing = config.tracing ? await startTracing(client, logger) : undefined;
const identity = createFirebaseIdentity(config.auth, { onFirebaseCall: metrics.countFirebaseCall });
const shutdown = new AbortController();

const server = createHttpServer(
  createApp({ config, db, identity, logger, metrics, tracing: tracing?.middleware, shutdownSignal: shutdown.signal }),
);
process.once('SIGTERM', () => void shutDown());
process.once('SIGINT', () => void shutDown());
// The metrics server runs until the process exits, so that Prometheus can read the final metrics.
if (config.metrics)
  logger.info(`The metrics are at ${await listen(createMetricsServer(metrics), config.metrics, 'METRICS_')}/metrics`);
logger.info(`The API listens at ${await listen(server, config)}`);
await connect();
const mail = config.mail && {
  mailServer: createMailServer(config.mail),
  countEmail: metrics.countEmail,
  shutdownSignal: shutdown.signal,
};
await Promise.all(createSweeps(db, identity, config.webOrigins, mail).map(sweepRegularly));

function loadConfigOrExit(): Config {
  try {
    return loadConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\nSee .env.example for all variables.\n`);
    return process.exit(1);
  }
}

async function listen(
  server: Server,
  { host, port }: { host: string; port: number },
  variablePrefix = '',
): Promise<string> {
  try {
    await once(server.listen(port, host), 'listening');
  } catch (error) {
    const advice = `Free the port, or set ${variablePrefix}HOST and ${variablePrefix}PORT.`;
    logger.fatal({ err: error }, `cannot listen at ${host}:${port}. ${advice}`);
    process.exit(1);
  }
  const { address, port: actualPort, family } = server.address() as AddressInfo;
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${actualPort}`;
}

/**
 * Connects to MongoDB, and retries until it succeeds. If the first connection of a MongoDB client fails and is not retried,
 * the client rejects every command. Exits if the data has another version.
 */
async function connect(): Promise<void> {
  let hasLogged = false;
  while (!shutdown.signal.aborted) {
    try {
      await client.connect();
      // An empty database has no version yet. Until `migrate` has run, GET /readyz says that indexes are missing.
      await hasDataVersion(db);
      return;
    } catch (error) {
      if (error instanceof DataVersionError) {
        logger.fatal(error.message);
        process.exit(1);
      }
      if (!hasLogged) logger.warn({ err: error }, 'Cannot connect to the database. The API is not ready and retries.');
      hasLogged = true;
      await wait(connectRetryDelayMs, undefined, { signal: shutdown.signal }).catch(() => undefined);
    }
  }
}

/**
 * Repeats a sweep every minute. Each sweep has its own loop, so that a sweep that waits for the identity provider delays no
 * other sweep.
 */
async function sweepRegularly(sweep: () => Promise<unknown>): Promise<void> {
  while (!shutdown.signal.aborted) {
    await sweep().catch((error: unknown) => {
      if (!shutdown.signal.aborted) logger.warn({ err: error }, 'sweep failed, the next one will retry');
    });
    await wait(sweepIntervalMs, undefined, { signal: shutdown.signal }).catch(() => undefined);
  }
}

async function shutDown(): Promise<void> {
  logger.info('shutting down');
  await closeGracefully(server, { shutdown, delayMs: config.shutdownDelaySeconds * 1000 });
  // The export of the last traces has a time limit, because the process is killed soon after SIGTERM.
  if (tracing) await Promise.race([tracing.shutdown().catch(() => undefined), wait(traceExportTimeoutMs)]);
  await Promise.all([client.close(), identity.close()]);
  process.exit(0);
}
