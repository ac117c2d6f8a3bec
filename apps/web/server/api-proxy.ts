import { randomUUID } from 'node:crypto';
import { Agent, type IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '@rtr/shared';
import type { ProxyOptions } from 'vite';

const requestId = 'x-request-id';
const ofApi = /^\/(?:api(?=[/?]|$)|(?:robots\.txt|sitemap\.xml)(?=\?|$))/;

/** Pages have addresses of their own: below /api there is nothing of them, as the API says to the whole path. */
const ofPages = /^\/api\/+pages(?=[/?]|$)/i;

/** Whether an address is the API's to answer as it is. */
export const isOfApi = (url: string) => ofApi.test(url);

/**
 * Sends `/api/...` to the API at `target`, without the prefix, and what crawlers ask; answers a problem when it is not
 * there. Each request gets an id of ours, which the API answers and logs too: by it the lines of both are brought together.
 */
export function apiProxy(target: string, log = toStdout): Record<string, ProxyOptions> {
  return {
    [ofApi.source]: {
      target,
      rewrite: (url) => (ofPages.test(url) ? url : url.replace(/^\/api\/*/, '/')),
      // Appends the visitor's address to X-Forwarded-For: what the visitor wrote there stands before it.
      xfwd: true,
      agent: new Agent({ keepAlive: true }),
      proxyTimeout: 35_000,
      // Called before anything is sent; lets everything pass.
      bypass: (req, res) => {
        req.headers[requestId] = randomUUID();
        // A visitor must not add spans to a trace of ours, nor decide what is sampled.
        delete req.headers.traceparent;
        delete req.headers.tracestate;
        const since = performance.now();
        res?.once('close', () => log(lineOf(req, res, performance.now() - since)));
      },
      // Registered before Vite's own listener, which answers only what is unanswered.
      configure: (proxy) => {
        proxy.on('error', (_error, req, res) => {
          if (!(res instanceof ServerResponse)) return;
          if (res.headersSent) {
            res.destroy();
            return;
          }
          answerAway(req, res);
        });
        // An answer that breaks off must break off here too: the visitor would wait for its end.
        proxy.on('proxyRes', (answer, _req, res) => {
          answer.once('close', () => {
            if (!answer.complete) res.destroy();
          });
        });
      },
    },
  };
}

/** What was asked for stands in the API's line, masked; nothing of it can slip into this one. */
function lineOf(req: IncomingMessage, res: ServerResponse, ms: number): string {
  const { method, headers } = req;
  return JSON.stringify({
    level: 30,
    time: Date.now(),
    req: { id: headers[requestId], method },
    res: { statusCode: res.statusCode },
    responseTime: Math.round(ms),
    msg: res.writableFinished ? 'request completed' : 'request aborted',
  });
}

function toStdout(line: string): void {
  process.stdout.write(`${line}\n`);
}

function answerAway({ method, headers }: IncomingMessage, res: ServerResponse): void {
  const instance = String(headers[requestId]);
  res.writeHead(503, { ...awayHeaders, 'X-Request-Id': instance });
  res.end(JSON.stringify(awayProblem(method === 'GET' || method === 'HEAD', instance)));
}

export const awayHeaders = {
  'Content-Type': 'application/problem+json',
  'Cache-Control': 'no-store',
  'Retry-After': '2',
} as const;

/** What a web server answers when no API does. */
export function awayProblem(reads: boolean, instance: string): Problem {
  return {
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: reads
      ? 'The API does not answer right now. Try again in a few seconds.'
      : 'The API does not answer right now. What you sent may or may not have been saved: look before you send it again, or repeat it with the same Idempotency-Key.',
    instance,
  };
}
