import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** Other methods are counted as "other", so that clients cannot create new time series. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/** Prometheus metrics of this process. The request metrics have the same names as in the API. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by status, or "aborted" when the client disconnected first.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the first line of a request to the last byte of its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const inFlight = new Gauge({ name: 'http_requests_in_flight', help: 'Requests in progress.', registers });
  const renders = new Histogram({
    name: 'page_render_duration_seconds',
    help: 'Time to render a page, its calls to the API included.',
    labelNames: ['outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5],
    registers,
  });
  const errors = new Counter({
    name: 'page_errors_total',
    help: 'Errors that a loader or a component threw and that no rule covers. Each is logged.',
    registers,
  });
  const lookups = new Counter({
    name: 'page_cache_requests_total',
    help: 'Requests for pages by how the page cache served them.',
    labelNames: ['result'],
    registers,
  });

  return {
    requestStarted: () => inFlight.inc(),

    /** `route` is the pattern of the address. `since` is the value of `performance.now()` when the request began. */
    requestEnded({ method: sent = '' }: IncomingMessage, res: ServerResponse, route: string, since: number): void {
      const method = methods.has(sent) ? sent : 'other';
      inFlight.dec();
      requests.inc({ method, route, status: res.writableFinished ? String(res.statusCode) : 'aborted' });
      durations.observe({ method, route }, secondsSince(since));
    },

    /** `since` is the value of `performance.now()` when the rendering began. */
    pageRendered(status: number, since: number): void {
      const outcome = status === 503 ? 'unavailable' : status >= 500 ? 'failed' : 'complete';
      renders.observe({ outcome }, secondsSince(since));
    },

    pageFailed: () => errors.inc(),

    /** A personal page bypasses the cache. A shared page waits for a render that another request began. */
    pageRequested: (result: 'hit' | 'miss' | 'shared' | 'bypass') => lookups.inc({ result }),

    watchPageCache(bytes: () => number): void {
      registry.registerMetric(
        new Gauge({
          name: 'page_cache_bytes',
          help: 'Size of the cached pages, estimated for the limit of the cache.',
          registers: [],
          collect() {
            this.set(bytes());
          },
        }),
      );
    },

    /** The metrics in Prometheus' text format. */
    text: () => registry.metrics(),
  };
}

/** Serves only GET /metrics. Its port must not be public. */
export function metricsServer({ text }: Pick<Metrics, 'text'>): Server {
  return createServer(({ method, url }, res) => {
    if (method !== 'GET' || url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    text().then(
      (body) => res.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(body),
      () => res.writeHead(500).end(),
    );
  });
}

function secondsSince(time: number): number {
  return (performance.now() - time) / 1000;
}
