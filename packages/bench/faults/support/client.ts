import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * The servers close idle connections after 75 s. This agent closes them earlier, because it could otherwise send a request
 * on a connection that a server is closing.
 */
const idleConnectionTimeoutMs = 40_000;
export const createKeepAliveAgent = () => new Agent({ keepAlive: true, timeout: idleConnectionTimeoutMs });
const agent = createKeepAliveAgent();

export interface Call {
  method?: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: object;
  /** The address of the client, for the rate limits. By default, each call has another address. */
  address?: string;
  agent?: Agent;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  durationMs: number;
}

/** The error of a call that got no complete response. */
export class UnansweredError extends Error {
  readonly code: string;
  /** True if an earlier request had used the connection. */
  readonly isReusedConnection: boolean;

  constructor(cause: NodeJS.ErrnoException, isReusedConnection: boolean) {
    super(`${cause.message}${isReusedConnection ? ' (on a kept connection)' : ''}`, { cause });
    this.code = cause.code ?? '';
    this.isReusedConnection = isReusedConnection;
  }
}

let addressCount = 0;

/** Returns another client address for each call. */
export function nextAddress(): string {
  addressCount += 1;
  return `10.${(addressCount >> 16) & 255}.${(addressCount >> 8) & 255}.${addressCount & 255}`;
}

/** Sends a request and resolves with the complete response. Rejects with an UnansweredError if there is none. */
export async function call(origin: string, path: string, options: Call = {}): Promise<Answer> {
  const { method = 'GET', token, headers = {}, body, address = nextAddress() } = options;
  const startedAt = performance.now();
  const req = request(new URL(path, origin), {
    agent: options.agent ?? agent,
    method,
    headers: {
      'X-Forwarded-For': address,
      ...(body && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { Authorization: `Bearer ${token}` }),
      ...headers,
    },
  });
  try {
    const res = await new Promise<IncomingMessage>((resolve, reject) => {
      req
        .on('error', reject)
        .on('response', resolve)
        .end(body && JSON.stringify(body));
    });
    const received = await text(res);
    const { statusCode: status = 0 } = res;
    return { status, headers: res.headers, text: received, durationMs: performance.now() - startedAt };
  } catch (error) {
    throw new UnansweredError(error as NodeJS.ErrnoException, req.reusedSocket);
  }
}

/** True for status 503 with a Retry-After header. A fault, such as a frozen database, must cause no other error response. */
export function isUnavailable({ status, headers }: Answer): boolean {
  return status === 503 && /^\d+$/.test(headers['retry-after'] ?? '');
}

/** Calls a function repeatedly until it returns true. Resolves with the time until then. */
export async function waitUntil(isDone: () => Promise<boolean>, timeoutMs = 120_000): Promise<number> {
  const startedAt = performance.now();
  while (!(await isDone().catch(() => false))) {
    if (performance.now() - startedAt > timeoutMs) throw new Error(`The condition is not met after ${timeoutMs} ms.`);
    await sleep(20);
  }
  return performance.now() - startedAt;
}
