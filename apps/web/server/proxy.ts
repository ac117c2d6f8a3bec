import { Agent, type IncomingMessage, ServerResponse } from 'node:http';
import type { Problem } from '@rtr/shared';
import type { RequestHandler } from 'express';
import { createProxyServer } from 'http-proxy-3';

const proxyTimeoutMs = 35_000;
/**
 * The idle time after which the proxy closes a connection to the upstream server. The upstream server closes idle
 * connections after 75 s. The proxy must close them earlier, because it could otherwise send a request on a connection that
 * the upstream server is closing.
 */
const idleConnectionTimeoutMs = 40_000;
/**
 * If a GET or HEAD request fails within this time, the proxy repeats it. A request that fails later has probably timed
 * out, so the proxy does not repeat it.
 */
const repeatWithinMs = 5000;
export const requestIdHeader = 'x-request-id';

/**
 * Returns a handler that forwards requests to the server at `target`. A GET or HEAD request whose connection fails is
 * repeated once, unless it has a body, which can be sent only once. A write is not repeated, because the server may have
 * processed it. Each request must already have the header `x-request-id`. The handler sets `X-Forwarded-For` to the IP
 * address of the visitor (`req.ip` of Express).
 */
export function createProxy(target: string): RequestHandler {
  const proxy = createProxyServer({
    target,
    agent: new Agent({ keepAlive: true, timeout: idleConnectionTimeoutMs }),
    proxyTimeout: proxyTimeoutMs,
  });
  proxy.on('proxyReq', (sent) => {
    // Removes the trace headers that the client sent, because traces start at the API.
    sent.removeHeader('traceparent');
    sent.removeHeader('tracestate');
  });
  proxy.on('proxyRes', (response, _req, res) => {
    // The upstream server's header `Connection` is only about the connection between the upstream server and this
    // proxy, so it is not forwarded. But during shutdown, the web server has already set `Connection: close` for the
    // client. This value is kept.
    if (res.getHeader('connection') === 'close') response.headers.connection = 'close';
    else delete response.headers.connection;
    // If the connection to the upstream server breaks, closes the connection to the client. Otherwise the client would wait
    // forever for the rest of the response.
    response.once('close', () => {
      if (!response.complete) res.destroy();
    });
  });
  const arrivals = new WeakMap<IncomingMessage, number>();
  proxy.on('error', (_error, req, res) => {
    const arrivedAt = arrivals.get(req);
    if (arrivedAt !== undefined && res instanceof ServerResponse && !res.headersSent && !res.destroyed) {
      arrivals.delete(req);
      if (performance.now() - arrivedAt < repeatWithinMs) return proxy.web(req, res);
    }
    if (!(res instanceof ServerResponse)) res.destroy();
    else if (res.headersSent) res.destroy();
    else sendUnavailable(req, res);
  });
  return (req, res) => {
    req.url = req.url.replace(/^\/+/, '/');
    req.headers['x-forwarded-for'] = req.ip ?? '';
    if (isRead(req) && !hasBody(req)) arrivals.set(req, performance.now());
    proxy.web(req, res);
  };
}

const isRead = ({ method }: IncomingMessage) => method === 'GET' || method === 'HEAD';
const hasBody = ({ headers }: IncomingMessage) =>
  headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;

function sendUnavailable(req: IncomingMessage, res: ServerResponse): void {
  const instance = String(req.headers[requestIdHeader]);
  const problem: Problem = {
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: isRead(req)
      ? 'The API does not respond right now. Try again in a few seconds.'
      : 'The API does not respond right now. Your change may or may not have been saved: check before you send it again.',
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
