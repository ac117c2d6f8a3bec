import { createServer, type RequestListener, type Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

interface Timeouts {
  /** The time in which a client must send its headers. A slower client gets 408. */
  headersTimeoutMs?: number;
  /** The time in which a client must send its complete request. A slower client gets 408. */
  requestTimeoutMs?: number;
  /** How often the server checks both timeouts. */
  checkIntervalMs?: number;
}

/** Creates an HTTP server with the timeouts of the API and of the web server. */
export function createHttpServer(
  listener?: RequestListener,
  { headersTimeoutMs = 10_000, requestTimeoutMs = 30_000, checkIntervalMs = 5000 }: Timeouts = {},
): Server {
  return createServer(
    {
      // This is longer than proxies keep idle connections, so that no connection is closed while a request is on its way.
      keepAliveTimeout: 75_000,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
    },
    listener,
  );
}

interface ClosingOptions {
  /**
   * Aborted when the shutdown starts. From then on, the application must fail its health check and send `Connection: close`.
   */
  shutdown: AbortController;
  /** How long the server still accepts connections, so that load balancers notice the failing health check. */
  delayMs: number;
  /** How long the server waits for pending responses before it closes their connections. */
  drainTimeoutMs?: number;
}

/** Shuts a server down: stops listening, waits for the pending responses, and closes all connections. */
export async function closeGracefully(
  server: Server,
  { shutdown, delayMs, drainTimeoutMs = 15_000 }: ClosingOptions,
): Promise<void> {
  shutdown.abort();
  await wait(delayMs);
  await drainAcceptQueue(server);
  // `server.close` closes the connections that are idle now. This timer closes those that become idle later.
  const idleTimer = setInterval(() => server.closeIdleConnections(), 100);
  const drainTimer = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  clearInterval(idleTimer);
  clearTimeout(drainTimer);
}

/** How often the shutdown yields to the event loop, at most, so that queued connections are accepted. */
const maxAcceptTurns = 1000;

/**
 * Accepts all connections that are still in the accept queue, because closing the socket would reset them. Yields to the
 * event loop until no new connection arrives.
 */
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
