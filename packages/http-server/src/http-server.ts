import { createServer, type RequestListener, type Server } from 'node:http';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

interface Timeouts {
  /** How long a client may take to send its request headers. After this time, the server responds with 408. */
  headersTimeoutMs?: number;
  /** How long a client may take to send its complete request. After this time, the server responds with 408. */
  requestTimeoutMs?: number;
  /** How often the server checks the timeouts of headers and requests. */
  checkIntervalMs?: number;
}

/** Creates an HTTP server with the timeouts that the API and the web server share. */
export function createHttpServer(
  listener?: RequestListener,
  { headersTimeoutMs = 10_000, requestTimeoutMs = 30_000, checkIntervalMs = 5000 }: Timeouts = {},
): Server {
  return createServer(
    {
      // This timeout is longer than the keep-alive timeout of proxies. So the server does not close a connection on which a
      // proxy is sending a request.
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
  /**
   * How long the server still accepts connections at shutdown. In this time, load balancers notice that the health check
   * fails.
   */
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
  // `server.close` closes only the connections that are idle now. This timer closes connections that become idle later.
  const idleTimer = setInterval(() => server.closeIdleConnections(), 100);
  const drainTimer = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  clearInterval(idleTimer);
  clearTimeout(drainTimer);
}

/** The maximum number of times that the shutdown yields to the event loop, so that queued connections are accepted. */
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
