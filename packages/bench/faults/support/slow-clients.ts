// This program connects many slow clients. The argument contains the options as JSON. There are two groups of clients:
// senders send their requests slowly, and readers stop reading their responses.
//
// The program sends the message `ready` when all clients are connected. The messages `senders` and `readers` ask for the
// outcomes of a group. The program replies when all connections of this group are closed, or after `maxWaitMs`. When asked
// for the readers, it lets them read again, because a client that does not read does not notice that its connection is
// closed.
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A sender sends nothing, its headers byte by byte, its body byte by byte, or empty lines after a complete request. */
type Sender = 'zeroBytes' | 'slowHeaders' | 'slowBodies' | 'emptyLines';
/** A reader requests a complete list or a page, and reads only the start of the response. */
type Reader = 'lists' | 'pages';
type Kind = Sender | Reader;

export interface SlowClientsOptions {
  port: number;
  /** The path of the API: empty, or /api at a web server. */
  apiPath: string;
  /** The service whose reviews the readers request. */
  serviceId: string;
  /**
   * Access tokens of several customers, for the requests with a body. The requests use the tokens in turn, because each
   * customer may send only 120 writes in a minute.
   */
  tokens: readonly string[];
  counts: Readonly<Record<Kind, number>>;
}

export type Outcomes<K extends Kind = Kind> = Record<K, Outcome>;
export interface Replies {
  senders: Outcomes<Sender>;
  readers: Outcomes<Reader>;
}

interface Outcome {
  count: number;
  /** The number of connections that are not closed. */
  openCount: number;
  /** The time for which the slowest of the closed connections was open. */
  slowestMs: number;
  /** The number of clients by the status of their first response. Clients without a response have the status `none`. */
  statuses: Record<string, number>;
}

interface Client {
  kind: Kind;
  socket: Socket;
  status: string;
  /** How long the connection was open. Undefined while it is open. */
  durationMs?: number;
  closed: Promise<void>;
}

const maxWaitMs = 150_000;
/** The time between two bytes of a slow client. */
const byteIntervalMs = 1000;
/** The time between two turns. The clients take turns, so that they do not all send at the same time. */
const turnMs = 20;
/** Clients connect in batches, because the accept queue of the server is limited. */
const connectBatch = 50;
/** A client address may read only 5 complete lists at the same time. */
const clientsPerAddress = 5;

const { port, apiPath, serviceId, tokens, counts } = JSON.parse(process.argv[2] ?? '') as SlowClientsOptions;

function firstBytes(kind: Kind, index: number): string {
  const address = `10.200.${Math.floor(index / clientsPerAddress / 256)}.${Math.floor(index / clientsPerAddress) % 256}`;
  const request = (line: string) => `${line} HTTP/1.1\r\nHost: kitchen.example\r\nX-Forwarded-For: ${address}\r\n`;
  if (kind === 'zeroBytes') return '';
  if (kind === 'slowHeaders') return `${request(`GET ${apiPath}/services?limit=3`)}X-Slow: `;
  if (kind === 'slowBodies')
    return `${request(`POST ${apiPath}/services`)}Authorization: Bearer ${tokens[index % tokens.length]}\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n`;
  if (kind === 'emptyLines') return `${request(`GET ${apiPath}/services?limit=3`)}\r\n`;
  return `${request(`GET ${apiPath}/allreview?serviceId=${serviceId}${kind === 'pages' ? '&limit=100' : ''}`)}\r\n`;
}

const nextBytes: Partial<Record<Kind, string>> = { slowHeaders: 'x', slowBodies: ' ', emptyLines: '\r\n' };

const isReader = ({ kind }: Client) => kind === 'lists' || kind === 'pages';

async function openClient(kind: Kind, index: number): Promise<Client> {
  const socket = connect(port, '127.0.0.1');
  const closed = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  const client: Client = { kind, socket, status: 'none', closed };
  // The server may reset the connection while the client is still sending. Without this handler, the error would end
  // the process.
  socket.on('error', () => {});
  socket.once('data', (bytes: Buffer) => {
    client.status = /^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1'))?.[1] ?? 'none';
    // A client that does not read does not notice that its connection is closed. So a reader continues to read if the
    // server rejects its request.
    if (isReader(client) && client.status === '200') socket.pause();
  });
  await new Promise<void>((resolve) => {
    socket.once('connect', resolve);
    void closed.then(resolve);
  });
  const connectedAt = performance.now();
  void closed.then(() => {
    client.durationMs = performance.now() - connectedAt;
  });
  if (kind !== 'zeroBytes') socket.write(firstBytes(kind, index));
  return client;
}

const clients: Client[] = [];
let turn = 0;
const kinds = Object.entries(counts).flatMap(([kind, count]) => Array.from({ length: count }, () => kind as Kind));
setInterval(sendBytes, turnMs);
for (let done = 0; done < kinds.length; done += connectBatch) {
  const batch = kinds.slice(done, done + connectBatch);
  clients.push(...(await Promise.all(batch.map((kind, index) => openClient(kind, done + index)))));
}
process.on('message', (message) => {
  if (message === 'readers') for (const client of clients.filter(isReader)) client.socket.resume();
  void replyAtEnd(clients.filter((client) => isReader(client) === (message === 'readers')));
});
process.send?.('ready');

/** Sends the next bytes of each client whose turn it is. */
function sendBytes(): void {
  const turnCount = byteIntervalMs / turnMs;
  turn = (turn + 1) % turnCount;
  for (let index = turn; index < clients.length; index += turnCount) {
    const { kind, socket } = clients[index] as Client;
    const bytes = nextBytes[kind];
    if (bytes !== undefined && socket.writable) socket.write(bytes);
  }
}

async function replyAtEnd(waiting: readonly Client[]): Promise<void> {
  await Promise.race([Promise.all(waiting.map(({ closed }) => closed)), sleep(maxWaitMs)]);
  const outcomes = [...Map.groupBy(waiting, ({ kind }) => kind)].map(([kind, group]): [Kind, Outcome] => {
    const durations = group.flatMap(({ durationMs }) => durationMs ?? []);
    const statuses = [...Map.groupBy(group, ({ status }) => status)].map(([status, { length }]) => [status, length]);
    const outcome = {
      count: group.length,
      openCount: group.length - durations.length,
      slowestMs: Math.max(0, ...durations),
      statuses: Object.fromEntries(statuses) as Record<string, number>,
    };
    return [kind, outcome];
  });
  process.send?.(Object.fromEntries(outcomes));
}
