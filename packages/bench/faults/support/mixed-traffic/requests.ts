import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, call, createKeepAliveAgent } from '../client.ts';
import type { Random } from '../figures.ts';
import type { Installation } from '../installation.ts';
import type { Customer, Json, Model } from './model.ts';

export interface Sent {
  body?: Json;
  headers?: Record<string, string>;
  /** The services that the request changes or reads. The request is added to their logs and to the log of the customer. */
  about?: readonly { log: string[] }[];
}

export interface Requests {
  /** Sends a request of a customer to one of the API instances, directly or through the web server. */
  send(customer: Customer, method: string, path: string, sent?: Sent): Promise<Answer>;
  /** Sends a GET request, and returns the status, the parsed body and the headers. Without a customer, sends no token. */
  read(path: string, customer?: Customer): Promise<{ status: number; body: unknown; headers: Answer['headers'] }>;
  /** Reads as a visitor at each API instance, so that their caches contain the response. */
  fillCaches(path: string): Promise<void>;
  /** Reads a page of the web server. By default, sends the session cookie. */
  readPage(path: string, cookie?: string): Promise<Answer>;
  close(): void;
}

const maxNotedLength = 300;
/** The header that the web app sends for 5 s after a write, so that customers see their own writes. */
const fresh = { 'Cache-Control': 'no-cache' };

/** Creates the functions that send requests. `send` adds each request to the logs of its services and of its customer. */
export function createRequests({ apis, webs: [web] }: Installation, model: Model, random: Random): Requests {
  const agent = createKeepAliveAgent();
  const webOrigin = web?.origin ?? '';
  const targets = [...apis.map(({ origin }) => [origin, ''] as const), [webOrigin, '/api'] as const];

  async function request(path: string, options: Parameters<typeof call>[2]): Promise<Answer> {
    const [origin, prefix] = random.pick(targets);
    model.counts.requests += 1;
    return call(origin, `${prefix}${path}`, { agent, ...options });
  }

  return {
    async send(customer, method, path, { body, headers = {}, about = [] } = {}) {
      const { token, address } = customer;
      const answer = await request(path, { method, token, address, headers, ...(body && { body }) });
      const sent = body === undefined ? '' : ` ${JSON.stringify(body)}`;
      const condition = headers['If-Match'] === undefined ? '' : ` If-Match: ${headers['If-Match']}`;
      model.note(
        `${customer.name} ${method} ${path}${condition}${cut(sent)} -> ${answer.status}${cut(` ${answer.text}`)}`,
        [customer, ...about],
      );
      return answer;
    },

    async read(path, customer) {
      // Like the web app, sends no token to the routes of services, because their responses are the same for everyone.
      const token = path.startsWith('/services') ? undefined : customer?.token;
      const who = customer && { token, address: customer.address };
      const { status, text, headers } = await request(path, { ...who, headers: fresh });
      return { status, body: JSON.parse(text) as unknown, headers };
    },

    async fillCaches(path) {
      model.counts.requests += apis.length;
      await Promise.all(apis.map(({ origin }) => call(origin, path, { agent })));
    },

    async readPage(path, cookie = 'rtr-session=1') {
      // If the API is too slow for the rendering of a page, the response is 503 with `Retry-After`. On a busy machine, this
      // can happen.
      for (;;) {
        model.counts.requests += 1;
        const answer = await call(webOrigin, path, { agent, headers: { Cookie: cookie } });
        if (answer.status !== 503) return answer;
        model.counts.repeatedPages += 1;
        await sleep(Number(answer.headers['retry-after']) * 1000);
      }
    },

    close: () => agent.destroy(),
  };
}

const cut = (text: string) => (text.length > maxNotedLength ? `${text.slice(0, maxNotedLength)}…` : text);
