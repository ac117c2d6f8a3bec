import {
  type Contract,
  type Problem,
  parseJson,
  type RequestInput,
  type ResponseBody,
  type RouteKey,
} from '@rtr/shared';
import { ApiError, isTemporary, NetworkError, UnexpectedResponse } from './api-error.ts';
import { retryOnce } from './retry.ts';
import type { Versioned } from './version.ts';

type Slot = 'params' | 'query' | 'headers' | 'body';
type Slots<K extends RouteKey> = {
  [S in Slot as RequestInput<K, S> extends undefined
    ? never
    : object extends RequestInput<K, S>
      ? never
      : S]: RequestInput<K, S>;
} & { [S in Slot as object extends RequestInput<K, S> ? S : never]?: RequestInput<K, S> };
interface Callers {
  public: object;
  optional: { as?: 'customer' };
  customer: { as: 'customer' };
  moderator: { as: 'customer' };
  firebase: { as: { idToken: string } };
}

/** The data of a response. A picture is a Blob. */
type Data<K extends RouteKey> = Contract[K]['responses'] extends { 200: { isPicture: true } } ? Blob : ResponseBody<K>;

/** The input of a call. The contract defines for each route whether a call must, may or cannot send a token. */
export type Input<K extends RouteKey> = Slots<K> &
  Callers[Contract[K]['access']] & {
    signal?: AbortSignal;
    /**
     * The result of an earlier, equal call. If it is still current, the API responds with 304 and without the data, and
     * this call returns the data of the earlier call. The browser cannot do this, because it does not store private data.
     */
    known?: Versioned<Data<K>> | undefined;
  };
/**
 * Calls a route: `http('GET /services/:id', { params: { id } })`. Throws an ApiError, a NetworkError or an
 * UnexpectedResponse, or the reason of `signal` if it is aborted. A GET is retried once after a temporary failure, but a
 * write is not.
 */
export type Http = <K extends RouteKey>(
  key: K,
  input: Input<K>,
) => Promise<{ data: Data<K>; status: number; headers: Headers }>;

interface Call extends Partial<Record<'params' | 'query' | 'headers', Record<string, string | undefined>>> {
  body?: unknown;
  as?: 'customer' | { idToken: string };
  signal?: AbortSignal;
  known?: Versioned<unknown> | undefined;
}

/**
 * The access tokens of one customer. After another customer has signed in, `getAccessToken` and `refreshAccessToken` return
 * null.
 */
export interface CustomerTokens {
  getAccessToken(): string | null;
  /** Resolves with a new token that replaces `outdated`, or with null if the customer must log in again. */
  refreshAccessToken(outdated: string | null): Promise<string | null>;
  /** Called when the API has accepted a token, or has rejected a token that it had just issued. */
  reportUse(isAccepted: boolean): void;
}

export interface AccessTokenSource {
  /**
   * Returns the tokens of the signed-in customer. Call this function when a request begins. Otherwise, the request could be
   * repeated with the token of a customer who has signed in meanwhile.
   */
  ownTokens(): CustomerTokens;
}

interface Options {
  base: string;
  /** The source of the access token for calls with `as: 'customer'`. Without it, these calls send no token. */
  tokens?: AccessTokenSource;
  headers?: Record<string, string>;
  /** The timeout of a call, 30 s by default. */
  timeoutMs?: number;
  /** Whether a GET is retried after this error. By default, it is retried after every temporary failure. */
  canRepeat?: (error: unknown) => boolean;
}

/**
 * How long reads bypass the response cache of the API after a write, so that customers see their own writes. The API
 * caches a response for only 1 s. The time here is longer, because a request can take several seconds in a slow
 * network.
 */
const freshReadsMs = 5000;

export function createHttp(options: Options): Http {
  const { canRepeat = isTemporary } = options;
  let lastWriteAt = Number.NEGATIVE_INFINITY;
  const send = async (key: RouteKey, call: Call, tokens: CustomerTokens | undefined) => {
    const isFresh = performance.now() - lastWriteAt < freshReadsMs;
    const headers = {
      ...call.headers,
      ...(isFresh && { 'Cache-Control': 'no-cache' }),
      ...(call.known?.version && { 'If-None-Match': call.known.version }),
    };
    const attempt = (bearer: string | null) => fetchResponse(options, key, { ...call, headers }, bearer);
    const response = await (tokens
      ? withAccessToken(tokens, attempt)
      : attempt(typeof call.as === 'object' ? call.as.idToken : null));
    if (!response.ok) throw errorIn(response);
    return response;
  };
  return async <K extends RouteKey>(key: K, input: Input<K>) => {
    const call: Call = input;
    const tokens = call.as === 'customer' ? options.tokens?.ownTokens() : undefined;
    const attempt = () => send(key, call, tokens);
    const recordWrite = () => {
      lastWriteAt = performance.now();
    };
    // After each write, the next reads bypass the response cache. This also applies to a failed write, because the API
    // may have saved the write although the response was lost.
    const { text, picture, status, headers } = await (key.startsWith('GET ')
      ? retryOnce(attempt, canRepeat)
      : attempt().finally(recordWrite));
    const data = status === notModified ? call.known?.row : (picture ?? (text ? parseJson(text) : undefined));
    if (text && data === undefined) throw new UnexpectedResponse();
    return { data: data as Data<K>, status, headers };
  };
}

/** A response with its complete body. */
export interface ReadResponse {
  /** True if the status is 2xx or 304. */
  ok: boolean;
  status: number;
  headers: Headers;
  /** The body. Empty if it is a picture. */
  text: string;
  picture?: Blob;
}

const notModified = 304;

/** Sends a request with the access token. If the API rejects the token, sends the request again with a new token. */
export async function withAccessToken(
  tokens: CustomerTokens,
  send: (bearer: string | null) => Promise<ReadResponse>,
): Promise<ReadResponse> {
  const bearer = tokens.getAccessToken() ?? (await tokens.refreshAccessToken(null));
  let response = await send(bearer);
  if (!bearer) return response;
  if (response.status === 401) {
    const fresh = await tokens.refreshAccessToken(bearer);
    if (!fresh) return response;
    response = await send(fresh);
    if (response.status === 401) tokens.reportUse(false);
  }
  if (response.ok) tokens.reportUse(true);
  return response;
}

async function fetchResponse(options: Options, key: string, call: Call, bearer: string | null): Promise<ReadResponse> {
  const { base, headers: common, timeoutMs = 30_000 } = options;
  const [method = '', route = ''] = key.split(' ');
  const path = route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(call.params?.[name] ?? ''));
  const query = new URLSearchParams(given(call.query)).toString();
  const headers = new Headers({ ...common, ...Object.fromEntries(given(call.headers)) });
  if (bearer) headers.set('Authorization', `Bearer ${bearer}`);
  if (call.body !== undefined) headers.set('Content-Type', 'application/json');
  const deadline = AbortSignal.timeout(timeoutMs);
  const signal = call.signal ? AbortSignal.any([call.signal, deadline]) : deadline;
  const body = call.body === undefined ? null : JSON.stringify(call.body);
  try {
    const response = await fetch(base + path + (query && `?${query}`), { method, headers, body, signal });
    const { status, headers: received } = response;
    const ok = response.ok || status === notModified;
    const isPicture = ok && received.get('Content-Type')?.startsWith('image/');
    const content = isPicture ? { text: '', picture: await response.blob() } : { text: await response.text() };
    return { ok, status, headers: received, ...content };
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new NetworkError(deadline.aborted ? 'timeout' : 'unreachable', error);
  }
}

/** Converts an error response of the API to an ApiError. */
export function errorIn(response: ReadResponse): ApiError {
  return new ApiError(problemIn(response), Number(response.headers.get('Retry-After')) || undefined);
}

/**
 * Returns the problem details of an error response. A proxy may have sent the response, so missing details get default
 * values.
 */
function problemIn({ status, text, headers }: ReadResponse): Problem {
  const unknown = {
    type: 'about:blank',
    title: 'Error',
    status,
    detail: 'Something went wrong on our server. Try again in a minute.',
    instance: '',
  };
  if (!headers.get('Content-Type')?.startsWith('application/problem+json')) return unknown;
  const problem = parseJson(text);
  return typeof problem === 'object' ? { ...unknown, ...problem, status } : unknown;
}

const given = (slot: Record<string, string | undefined> = {}) =>
  Object.entries(slot).filter((pair): pair is [string, string] => pair[1] !== undefined);
