// This program sends requests at a constant rate, from one or more client addresses. The argument contains its options
// as JSON. When the program receives the message `run <ms>`, it sends requests for this number of milliseconds, and
// then replies with the outcome. The program uses sockets instead of `node:http`, to leave more CPU time to
// the server.
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface FloodOptions {
  port: number;
  addressCount: number;
  requestsPerSecond: number;
  paths: readonly string[];
}

export interface FloodOutcome {
  requestsPerSecond: number;
  /** The number of responses by their status. */
  statuses: Record<string, number>;
  /** The number of responses with the status 429 and without a valid Retry-After header. */
  withoutRetryAfterCount: number;
}

interface Connection {
  socket: Socket;
  /** The bytes of the response that have arrived so far. */
  received: string;
}

const connectionCount = 64;
const turnMs = 5;

const { port, addressCount, requestsPerSecond, paths } = JSON.parse(process.argv[2] ?? '') as FloodOptions;
let statuses: Record<string, number> = {};
let withoutRetryAfterCount = 0;
let sentCount = 0;

/** The connections that wait for no response. The one that has been idle longest is first, and is used next. */
let idle: Connection[] = [];

process.on('message', (message) => void run(Number(String(message).split(' ')[1])));
// Between two runs, only the message channel to the parent process keeps this process alive.
process.channel?.ref();
process.send?.('ready');

async function openConnection(): Promise<Connection> {
  const socket = connect(port, '127.0.0.1').setNoDelay();
  await once(socket, 'connect');
  const connection = { socket, received: '' };
  socket.on('data', (bytes: Buffer) => receive(connection, bytes.toString('latin1')));
  return connection;
}

function receive(connection: Connection, text: string): void {
  connection.received += text;
  const headersEnd = connection.received.indexOf('\r\n\r\n') + 4;
  if (headersEnd < 4) return;
  const headers = connection.received.slice(0, headersEnd);
  const bodyLength = Number(/^content-length: (\d+)\r$/im.exec(headers)?.[1]);
  if (Number.isNaN(bodyLength)) throw new Error(`This response has no Content-Length:\n${headers}`);
  if (connection.received.length < headersEnd + bodyLength) return;
  const status = headers.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length);
  statuses[status] = (statuses[status] ?? 0) + 1;
  if (status === '429' && !/^retry-after: [1-9]\d?\r$/im.test(headers)) withoutRetryAfterCount += 1;
  connection.received = '';
  idle.push(connection);
}

async function run(durationMs: number): Promise<void> {
  statuses = {};
  withoutRetryAfterCount = 0;
  // Each run opens new connections, because the server may close idle connections between two runs.
  const connections = await Promise.all(Array.from({ length: connectionCount }, openConnection));
  idle = [...connections];
  const startedAt = performance.now();
  let runCount = 0;
  let elapsedMs = 0;
  for (; elapsedMs < durationMs; elapsedMs = performance.now() - startedAt) {
    const dueCount = Math.floor((elapsedMs * requestsPerSecond) / 1000) - runCount;
    const free = idle.splice(0, Math.max(0, dueCount));
    for (const connection of free) send(connection);
    runCount += free.length;
    await sleep(turnMs);
  }
  while (idle.length < connectionCount) await sleep(turnMs);
  for (const { socket } of connections) socket.destroy();
  const outcome: FloodOutcome = {
    requestsPerSecond: Math.round((runCount / elapsedMs) * 1000),
    statuses,
    withoutRetryAfterCount,
  };
  process.send?.(outcome);
}

function send({ socket }: Connection): void {
  const address = sentCount % addressCount;
  const path = paths[Math.floor(sentCount / addressCount) % paths.length] ?? '/';
  sentCount += 1;
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: kitchen.example\r\nX-Forwarded-For: 10.201.${addressCount % 256}.${address}\r\n\r\n`,
  );
}
