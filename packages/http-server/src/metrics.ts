import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The HTTP methods that are values of the label `method`. All other methods share the value `other`, because each new value
 * would use memory.
 */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);

/** Creates the Prometheus metrics of this process and of its requests. docs/operations.md describes each metric. */
export function createHttpMetrics() {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });

  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by status, or "aborted" if the client disconnected before the end of the response.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from the start of a request to the last byte of its response.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const inFlight = new Gauge({ name: 'http_requests_in_flight', help: 'Requests in progress.', registers });

  return {
    registry,

    /** Returns all metrics in the text format of Prometheus. */
    text: () => registry.metrics(),

    requestStarted: () => inFlight.inc(),

    /**
     * Counts a request and measures its duration. `route` is a pattern such as '/services/:id'. `startedAt` is the value of
     * `performance.now()` at the start of the request.
     */
    requestEnded(req: IncomingMessage, res: ServerResponse, route: string, startedAt: number): void {
      const method = req.method !== undefined && methods.has(req.method) ? req.method : 'other';
      inFlight.dec();
      requests.inc({ method, route, status: res.writableFinished ? String(res.statusCode) : 'aborted' });
      durations.observe({ method, route }, (performance.now() - startedAt) / 1000);
    },
  };
}

/** Creates a server with the single route GET /metrics. The server listens on its own port, which is not public. */
export function createMetricsServer({ text }: { text: () => Promise<string> }): Server {
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
