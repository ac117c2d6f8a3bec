import { Agent, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import type { PreparedRequest } from './prepare-request.ts';

const agent = new Agent({ keepAlive: true });

export interface Response {
  status: number;
  headers: Headers;
  text: string;
  durationMs: number;
}

/** Sends a request with exactly these headers, and resolves with the complete, decoded response. */
export async function sendRequest(origin: string, prepared: PreparedRequest): Promise<Response> {
  const { method, target, headers, body } = prepared;
  const { hostname, port } = new URL(origin);
  const startedAt = performance.now();
  const req = request({ agent, hostname, port, method, path: target, headers: headers.flat() });
  const res = await new Promise<IncomingMessage>((resolve, reject) => {
    req.on('error', reject).on('response', resolve).end(body);
  });
  const received = await buffer(res);
  const durationMs = performance.now() - startedAt;
  const lines = Object.entries(res.headers).map(([name, value]): [string, string] => [name, String(value)]);
  const text = decode(received, res.headers['content-encoding']).toString();
  return { status: res.statusCode ?? 0, headers: new Headers(lines), text, durationMs };
}

function decode(body: Buffer, encoding: string | undefined): Buffer {
  if (body.length === 0) return body;
  if (encoding === 'br') return brotliDecompressSync(body);
  return encoding === 'gzip' ? gunzipSync(body) : body;
}

/** Describes a request in a message about its failure. */
export function describeRequest({ method, target, headers, body }: PreparedRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${shorten(value)}`);
  const content = body ? ['', shorten(JSON.stringify(body.toString('latin1')))] : [];
  return [`${method} ${shorten(target)}`, ...lines, ...content].join('\n');
}

const maxShownLength = 600;
function shorten(text: string): string {
  return text.length <= maxShownLength ? text : `${text.slice(0, maxShownLength)}… (${text.length} characters)`;
}
