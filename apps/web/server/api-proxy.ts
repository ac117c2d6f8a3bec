import { randomUUID } from 'node:crypto';
import { Agent, ServerResponse } from 'node:http';
import type { Problem } from '@rtr/shared';
import type { ProxyOptions } from 'vite';

/** Sends `/api/...` to the API at `target`, without the prefix; answers a problem when it is not there. */
export function apiProxy(target: string): Record<string, ProxyOptions> {
  return {
    '^/api(?=[/?]|$)': {
      target,
      rewrite: (url) => url.replace(/^\/api\/*/, '/'),
      // Appends the visitor's address to X-Forwarded-For: what the visitor wrote there stands before it.
      xfwd: true,
      agent: new Agent({ keepAlive: true }),
      proxyTimeout: 35_000,
      // Registered before Vite's own listener, which answers only what is unanswered.
      configure: (proxy) => {
        proxy.on('error', (_error, req, res) => {
          if (!(res instanceof ServerResponse)) return;
          if (res.headersSent) {
            res.destroy();
            return;
          }
          answerAway(res, req.method === 'GET' || req.method === 'HEAD');
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

function answerAway(res: ServerResponse, reads: boolean): void {
  const body: Problem = {
    type: 'about:blank',
    title: 'Service Unavailable',
    status: 503,
    detail: reads
      ? 'The API does not answer right now. Try again in a few seconds.'
      : 'The API does not answer right now. What you sent may or may not have been saved: look before you send it again, or repeat it with the same Idempotency-Key.',
    instance: randomUUID(),
  };
  res.writeHead(503, { 'Content-Type': 'application/problem+json', 'Cache-Control': 'no-store', 'Retry-After': '2' });
  res.end(JSON.stringify(body));
}
