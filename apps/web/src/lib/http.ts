import type { AnswerOf, Contract, Problem, RouteKey, Sent } from '@rtr/shared';
import { ApiError, isPassing, NetworkError, UnexpectedAnswer } from './api-error.ts';
import { retryOnce } from './retry.ts';

type Slot = 'params' | 'query' | 'headers' | 'body';
type Slots<K extends RouteKey> = {
  [S in Slot as Sent<K, S> extends undefined ? never : object extends Sent<K, S> ? never : S]: Sent<K, S>;
} & { [S in Slot as object extends Sent<K, S> ? S : never]?: Sent<K, S> };
interface Callers {
  public: object;
  optional: { as?: 'customer' };
  customer: { as: 'customer' };
  firebase: { as: { idToken: string } };
}

/** What a route takes, and as whom it is called: the contract's access says which calls carry a token. */
export type Input<K extends RouteKey> = Slots<K> & Callers[Contract[K]['access']] & { signal?: AbortSignal };
/**
 * Calls a route: `http('GET /services/:id', { params: { id } })`. Throws ApiError, NetworkError, UnexpectedAnswer, or the
 * abort's reason. A GET is sent once more if its failure may pass; a write is never repeated by itself.
 */
export type Http = <K extends RouteKey>(key: K, input: Input<K>) => Promise<{ data: AnswerOf<K>; headers: Headers }>;

interface Call extends Partial<Record<'params' | 'query' | 'headers', Record<string, string | undefined>>> {
  body?: unknown;
  as?: 'customer' | { idToken: string };
  signal?: AbortSignal;
}

interface Options {
  base: string;
  /** The customer's access token as it is now, if there is one. */
  token(): string | null;
  /** One newer than the refused, shared by all who ask at once; null when the customer must log in again. */
  renew(refused: string | null): Promise<string | null>;
  /** Sent with every call. */
  headers?: Record<string, string>;
  /** A call without an answer fails after so long; 30 s when absent. */
  timeoutMs?: number;
  /** Whether a read is sent again after this failure; by default after each that may pass. */
  canRepeat?: (error: unknown) => boolean;
}

export function createHttp(options: Options): Http {
  const { token, renew, canRepeat = isPassing } = options;
  const send = async (key: RouteKey, call: Call) => {
    const owned = call.as === 'customer';
    const bearer = typeof call.as === 'object' ? call.as.idToken : owned ? (token() ?? (await renew(null))) : null;
    let answer = await fetchAnswer(options, key, call, bearer);
    if (answer.status === 401 && owned && bearer) {
      const fresh = await renew(bearer);
      if (fresh) answer = await fetchAnswer(options, key, call, fresh);
    }
    if (!answer.ok) throw new ApiError(problemIn(answer), Number(answer.headers.get('Retry-After')) || undefined);
    return answer;
  };
  return async <K extends RouteKey>(key: K, input: Input<K>) => {
    const attempt = () => send(key, input);
    const { text, headers } = await (key.startsWith('GET ') ? retryOnce(attempt, canRepeat) : attempt());
    return { data: (text ? parseJson(text) : undefined) as AnswerOf<K>, headers };
  };
}

async function fetchAnswer(options: Options, key: string, call: Call, bearer: string | null) {
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
    const answer = await fetch(base + path + (query && `?${query}`), { method, headers, body, signal });
    return { ok: answer.ok, status: answer.status, headers: answer.headers, text: await answer.text() };
  } catch (error) {
    if (call.signal?.aborted) throw error;
    throw new NetworkError(deadline.aborted ? 'timeout' : 'unreachable', error);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UnexpectedAnswer(error);
  }
}

/** The problem details of an answer; made up when a proxy answered instead of the API. */
function problemIn({ status, text, headers }: { status: number; text: string; headers: Headers }): Problem {
  const unknown = {
    type: 'about:blank',
    title: 'Error',
    status,
    detail: `The server answered ${status}.`,
    instance: '',
  };
  if (!headers.get('Content-Type')?.startsWith('application/problem+json')) return unknown;
  try {
    const problem = parseJson(text);
    return typeof problem === 'object' ? { ...unknown, ...problem, status } : unknown;
  } catch {
    return unknown;
  }
}

const given = (slot: Record<string, string | undefined> = {}) =>
  Object.entries(slot).filter((pair): pair is [string, string] => pair[1] !== undefined);
