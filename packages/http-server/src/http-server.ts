import { createServer, type RequestListener, type Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

interface Timeouts {
  /** How long a client may take to send its request headers. After this time, the server responds with 408. */
  headersTimeoutMs?: number;
  /** How long a client may take to send its complete request. After this time, the server responds with 408. */
  requestTimeoutMs?: number;
  /**
   * The server closes a connection on which it has sent no bytes for this time. For example, the client does not read
   * the response, or it sends only empty lines instead of a request.
   */
  sendTimeoutMs?: number;
  /** How often the server checks whether a timeout has passed. */
  checkIntervalMs?: number;
}

/**
 * On Linux, this timeout never disconnects a client that reads at least 15 KB/s. The server notices that a client reads
 * only when a large part of the send buffer is free, for example 1.6 MB of 4 MB. A client that reads 15 KB/s frees this
 * part in less than 120 s. A slower client may lose a response that does not fit into the buffers.
 */
export const defaultSendTimeoutMs = 120_000;

/** Creates an HTTP server with the timeouts that the API and the web server share. */
export function createHttpServer(
  listener?: RequestListener,
  {
    headersTimeoutMs = 10_000,
    requestTimeoutMs = 30_000,
    sendTimeoutMs = defaultSendTimeoutMs,
    checkIntervalMs = 1000,
  }: Timeouts = {},
): Server {
  const server = createServer(
    {
      // Longer than the keep-alive timeout of proxies. So the server does not close a connection on which a proxy is sending
      // a request.
      keepAliveTimeout: 75_000,
      headersTimeout: headersTimeoutMs,
      requestTimeout: requestTimeoutMs,
      connectionsCheckingInterval: checkIntervalMs,
    },
    listener,
  );
  closeStalledConnections(server, { sendTimeoutMs, checkIntervalMs });
  return server;
}

/**
 * Closes each connection whose client does not read its response, or sends only empty lines, which Node ignores between
 * requests. `socket.setTimeout` and the keep-alive timeout are not enough, because each byte from the client restarts them.
 */
function closeStalledConnections(
  server: Server,
  { sendTimeoutMs, checkIntervalMs }: Required<Pick<Timeouts, 'sendTimeoutMs' | 'checkIntervalMs'>>,
): void {
  const connections = new Map<ServerSocket, { sentBytes: number; stalledChecks: number }>();
  connectionsByServer.set(server, connections);
  server.on('connection', (socket: ServerSocket) => {
    connections.set(socket, { sentBytes: 0, stalledChecks: 0 });
    socket.once('close', () => connections.delete(socket));
  });
  const check = () => {
    for (const [socket, last] of connections) {
      // Read the counters of the handle, because `socket.bytesWritten` also counts bytes that still wait in this process.
      // They wait there if the client does not read.
      const { bytesWritten = 0, writeQueueSize: waitingBytes = 0 } = socket._handle ?? {};
      const sentBytes = bytesWritten - waitingBytes;
      // Count the checks instead of the time. If this process is too busy to send, it also runs no checks. So the client
      // is not disconnected for a delay of the server.
      const stalledChecks = sentBytes === last.sentBytes ? last.stalledChecks + 1 : 0;
      Object.assign(last, { sentBytes, stalledChecks });
      if (stalledChecks * checkIntervalMs >= sendTimeoutMs) socket.destroy();
    }
  };
  let timer: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    timer = setInterval(check, checkIntervalMs).unref();
  });
  server.on('close', () => clearInterval(timer));
}

/**
 * Node has no public property for the number of bytes that still wait to be sent. So this code uses the private property
 * `writeQueueSize`, as Node's own timeouts do.
 */
type ServerSocket = Socket & { _handle?: { bytesWritten: number; writeQueueSize: number } | null };

const connectionsByServer = new WeakMap<Server, ReadonlyMap<ServerSocket, unknown>>();

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
  /**
   * How long the server keeps an idle connection open at shutdown, because a request may already be on its way. This time
   * begins when `delayMs` has passed, or later, when a response on the connection ends.
   */
  idleGraceMs?: number;
  /** How long the server waits for pending responses before it closes their connections. */
  drainTimeoutMs?: number;
}

/**
 * Shuts a server down: accepts no new connections, waits for the pending responses, and closes all connections. Clients can
 * still send requests on open connections, so the application must send `Connection: close` with each response that begins
 * during the shutdown. Idle connections are closed after `idleGraceMs`. After `drainTimeoutMs`, all connections are closed,
 * even if a response is still pending.
 */
export async function closeGracefully(
  server: Server,
  { shutdown, delayMs, idleGraceMs = 1000, drainTimeoutMs = 15_000 }: ClosingOptions,
): Promise<void> {
  shutdown.abort();
  await wait(delayMs);
  await drainAcceptQueue(server);
  // A response that began before the shutdown has no header `Connection: close`. When it ends, Node sets this timeout for its
  // connection. Node removes the timeout when the headers of the next request are complete.
  Object.assign(server, { keepAliveTimeout: idleGraceMs, keepAliveTimeoutBuffer: 0 });
  const sockets = [...(connectionsByServer.get(server)?.keys() ?? [])];
  // Shorten the timeout of the connections that are idle after a response. Other connections have no timeout.
  for (const socket of sockets) if (socket.timeout) socket.setTimeout(idleGraceMs);
  // If the process was busy, requests may have arrived that it has not read yet. The event loop reads them before it runs
  // callbacks of `setImmediate`.
  server.on('timeout', (socket: Socket) => {
    const { bytesRead } = socket;
    setImmediate(() => {
      if (socket.bytesRead === bytesRead) socket.destroy();
    });
  });
  // Browsers open connections before they need them. Node sets no timeout for a connection without a first request.
  const closeUnusedConnections = () => {
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
  };
  const unusedTimer = setTimeout(() => setImmediate(closeUnusedConnections), idleGraceMs);
  const drainTimer = setTimeout(() => server.closeAllConnections(), drainTimeoutMs);
  await new Promise((resolve) => {
    // This is the method of `net.Server`, because the method of `http.Server` also closes idle connections at once. A
    // request that is on its way would then be reset.
    NetServer.prototype.close.call(server, resolve);
  });
  // All connections are closed already. This call only stops the timers of the HTTP server.
  server.close();
  clearTimeout(unusedTimer);
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
