import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import type { Environment } from './environment.ts';
import { type Metrics, metricsServer } from './metrics.ts';

const unfinishedRequestsMs = 15_000;

/** The keep-alive timeout is longer than that of the reverse proxy, so that the proxy reuses no closed connection. */
export function createHttpServer(listener?: RequestListener): Server {
  return createServer(
    { keepAliveTimeout: 75_000, headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5000 },
    listener,
  );
}

interface ServeOptions extends Pick<Environment, 'host' | 'port' | 'metricsAt' | 'shutdownDelayMs'> {
  closing: AbortController;
  metrics: Metrics;
}

/** Listens until SIGTERM or SIGINT, then closes gracefully and exits. Metrics are served until the end. */
export async function serve(server: Server, options: ServeOptions): Promise<void> {
  const { host, port, metricsAt, shutdownDelayMs, closing, metrics } = options;
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void close(server, shutdownDelayMs, closing));
  if (metricsAt) await once(metricsServer(metrics).listen(metricsAt.port, metricsAt.host), 'listening');
  await once(server.listen(port, host), 'listening');
}

/**
 * Graceful shutdown. The health check fails at once, and each response closes its connection, so that the proxy opens its next
 * one to another instance. After the delay the server stops listening, waits for the running requests and exits.
 */
async function close(server: Server, delayMs: number, closing: AbortController): Promise<void> {
  closing.abort();
  await wait(delayMs);
  await drainAcceptQueue(server);
  const timer = setTimeout(() => server.closeAllConnections(), unfinishedRequestsMs);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  clearTimeout(timer);
  process.exit(0);
}

/** Closing the socket resets connections that are still in the accept queue, so yield until no new one arrives. */
async function drainAcceptQueue(server: Server): Promise<void> {
  let arrived = true;
  server.on('connection', () => {
    arrived = true;
  });
  for (let turns = 0; arrived && turns < 1000; turns += 1) {
    arrived = false;
    await nextTurn();
  }
}

/**
 * Writes the lines of each turn of the event loop together, because one write for each line cost as much as sending a cached
 * page.
 */
export function createLog(output: Pick<NodeJS.WriteStream, 'write'>): (line: object) => void {
  let buffer = '';
  const flush = () => {
    output.write(buffer);
    buffer = '';
  };
  process.on('exit', () => buffer && flush());
  return (line) => {
    if (buffer === '') setImmediate(flush);
    buffer += `${JSON.stringify(line)}\n`;
  };
}
