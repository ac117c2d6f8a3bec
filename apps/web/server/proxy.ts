import { Agent, type IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '@rtr/shared';
import type { RequestHandler } from 'express';
import { createProxyServer } from 'http-proxy-3';

const proxyTimeoutMs = 35_000;
/** Shorter than the 75 s of the servers behind, so that a request is never sent on a connection that they have just closed. */
const idleConnectionTimeoutMs = 40_000;
export const requestIdHeader = 'x-request-id';

/**
 * Passes requests on to the server at `target` and its answers back. A request is sent once: if it fails, nobody knows
 * whether it was carried out. `x-request-id` must be set before.
 */
export function createProxy(target: string): RequestHandler {
  const proxy = createProxyServer({
    target,
    // Appends the visitor's address to X-Forwarded-For.
    xfwd: true,
    agent: new Agent({ keepAlive: true, timeout: idleConnectionTimeoutMs }),
    proxyTimeout: proxyTimeoutMs,
  });
  proxy.on('proxyReq', (sent) => {
    // Our own traces begin at the API.
    sent.removeHeader('traceparent');
    sent.removeHeader('tracestate');
  });
  proxy.on('proxyRes', (answer, _req, res) => {
    // Without this the visitor would wait for the end of an answer that broke off.
    answer.once('close', () => {
      if (!answer.complete) res.destroy();
    });
  });
  proxy.on('error', (_error, req, res) => {
    if (!(res instanceof ServerResponse)) res.destroy();
    else if (res.headersSent) res.destroy();
    else answerAway(req, res);
  });
  return (req, res) => {
    req.url = req.url.replace(/^\/+/, '/');
    proxy.web(req, res);
  };
}

/** The answer when the API does not answer. */
function answerAway({ method, headers }: IncomingMessage, res: ServerResponse): void {
  const instance = String(headers[requestIdHeader]);
  const reads = method === 'GET' || method === 'HEAD';
  const problem: Problem = {
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: reads
      ? 'The API does not answer right now. Try again in a few seconds.'
      : 'The API does not answer right now. What you sent may or may not have been saved: look before you send it again, or repeat it with the same Idempotency-Key.',
    instance,
  };
  res.writeHead(503, {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'Retry-After': '2',
    'X-Request-Id': instance,
  });
  res.end(JSON.stringify(problem));
}
