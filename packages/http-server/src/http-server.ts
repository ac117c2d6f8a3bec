import { createServer, type RequestListener, type Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

interface Timeouts {
  /** A client that sends its headers for longer gets 408. */
  headersTimeoutMs?: number;
  /** A client that sends its request for longer gets 408. */
  requestTimeoutMs?: number;
  /** Both timeouts are checked at this interval. */
  checkIntervalMs?: number;
}

/** Creates an HTTP server with the timeouts of the API and of the web server. */
export function createHttpServer(
  listener?: RequestListener,
  { headersTimeoutMs = 10_000, requestTimeoutMs = 30_000, checkIntervalMs = 5000 }: Timeouts = {},
): Server {
  return createServer(
    {
      // Longer than proxies keep idle connections, so that none is closed while a request is on its way.
      keepAliveTimeout: 75_000,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
    },
    listener,
  );
}

interface ClosingOptions {
  /** Aborted at once. From then on the application must fail its health check and send `Connection: close`. */
  shutdown: AbortController;
  /** How long the server still accepts connections, so that load balancers notice the failing health check. */
  delayMs: number;
  /** Pending responses may take this long. Then their connections are closed. */
  drainTimeoutMs?: number;
}

/** Closes a server after its pending responses. */
export async function closeGracefully(
  server: Server,
  { shutdown, delayMs, drainTimeoutMs = 15_000 }: ClosingOptions,
): Promise<void> {
  shutdown.abort();
  await wait(delayMs);
  await drainAcceptQueue(server);
  // `close` closes the connections that are idle now, but not those whose response ends later.
  const idleTimer = setInterval(() => server.closeIdleConnections(), 100);
  const drainTimer = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  clearInterval(idleTimer);
  clearTimeout(drainTimer);
}

/** Limits how often the event loop is yielded for queued connections. */
const maxAcceptTurns = 1000;

/** Closing the socket resets connections that are still in the accept queue, so this yields until no new one arrives. */
async function drainAcceptQueue(server: Server): Promise<void> {
  let hasNewConnection = true;
  server.on('connection', () => {
    hasNewConnection = true;
  });
  for (let turn = 0; hasNewConnection && turn < maxAcceptTurns; turn += 1) {
    hasNewConnection = false;
    await nextTurn();
  }
}
