import { connect } from 'node:net';
import * as fc from 'fast-check';
import { nextAddress } from '../client.ts';

/**
 * A placeholder for the client address. Each request gets a different address, so that the rate limit of an address is
 * never reached.
 */
const address = '~address~';
const head = `Host: kitchen.example\r\nX-Forwarded-For: ${address}\r\nConnection: close\r\n`;
const vitals = '{"vitals":[{"name":"LCP","value":1}]}';
const wholeRequests = [
  `GET /services?limit=1 HTTP/1.1\r\n${head}\r\n`,
  `GET http://kitchen.example/services?limit=1 HTTP/1.1\r\n${head}\r\n`,
  `OPTIONS * HTTP/1.1\r\n${head}\r\n`,
  'GET /healthz HTTP/1.0\r\n\r\n',
  `GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /services?limit=2 HTTP/1.1\r\n${head}\r\n`,
  `POST /vitals HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: ${vitals.length}\r\n\r\n${vitals}`,
  `POST /vitals HTTP/1.1\r\n${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${vitals.length.toString(16)}\r\n${vitals}\r\n0\r\n\r\n`,
];
const insertions = [
  '',
  '\0',
  '\r',
  '\n',
  '\r\n',
  '\r\n\r\n',
  ' ',
  '	',
  ':',
  '%',
  'ÿ',
  '',
  '*',
  '//',
  'http://a/',
  'HTTP/9.9',
  'HTTP/0.9',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT a:1 HTTP/1.1',
  'BREW /services HTTP/1.1',
  '\r\nHost: b',
  '\r\nContent-Length: 5',
  '\r\nContent-Length: -1',
  '\r\nContent-Length: 99999999999999999999',
  '\r\nTransfer-Encoding: chunked',
  '\r\nTransfer-Encoding: gzip, chunked',
  '\r\nExpect: 100-continue',
  '\r\nExpect: x',
  '\r\nUpgrade: websocket\r\nConnection: Upgrade',
  '\r\n folded',
  '\r\nX',
  '\r\n: x',
  '\r\nX-Request-Id: ',
  '0\r\n\r\n',
  'ffffffffffffffff\r\n',
  `\r\nX: ${'a'.repeat(2e4)}`,
  '\r\nX: a'.repeat(3e3),
  'a'.repeat(2e4),
];

export interface RawEdit {
  /** Where the bytes of the request are changed, from 0 (at its start) to 1 (at its end). */
  position: number;
  deletedCount: number;
  inserted: string;
}

/** Creates texts that resemble HTTP requests, most of them malformed. Each character is sent as one byte (Latin-1). */
export const rawRequests: fc.Arbitrary<string> = fc
  .record({
    whole: fc.constantFrom(...wholeRequests),
    edits: fc.array(
      fc.record<RawEdit>({
        position: fc.double({ min: 0, max: 1, noNaN: true }),
        deletedCount: fc.nat({ max: 20 }),
        inserted: fc.oneof(fc.constantFrom(...insertions), fc.string({ unit: 'binary-ascii', maxLength: 20 })),
      }),
      { maxLength: 4 },
    ),
  })
  .map(({ whole, edits }) => edits.reduce(applyEdit, whole));

function applyEdit(text: string, { position, deletedCount, inserted }: RawEdit): string {
  const start = Math.floor(position * text.length);
  return text.slice(0, start) + inserted + text.slice(start + deletedCount);
}

/**
 * If the server sends nothing for this time, it may be waiting for the rest of the request. The client then ends its
 * side of the connection.
 */
const waitMs = 50;
/** After this time, the client closes the connection even if the server does not. */
const maxOpenMs = 20_000;

export interface RawResponse {
  /** The bytes that the server sent, as a Latin-1 text. Empty if the server sent nothing. */
  text: string;
  durationMs: number;
}

/** Sends bytes on a new connection. Resolves when the connection is closed. */
export async function sendRaw(origin: string, bytes: string): Promise<RawResponse> {
  const { hostname, port } = new URL(origin);
  const startedAt = performance.now();
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), hostname, () =>
      socket.write(bytes.replaceAll(address, nextAddress()), 'latin1'),
    );
    socket.setTimeout(waitMs, () => socket.end());
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
    });
    // The server may reset the connection if it does not read the rest of a malformed request.
    socket.on('error', () => undefined);
    const timer = setTimeout(() => socket.destroy(), maxOpenMs);
    socket.on('close', () => {
      clearTimeout(timer);
      resolve({ text, durationMs: performance.now() - startedAt });
    });
  });
}
