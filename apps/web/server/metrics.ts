import { createHttpMetrics } from '@rtr/http-server/metrics';
import { Counter, Gauge, Histogram } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

export function createMetrics() {
  const { registry, text, requestStarted, requestEnded } = createHttpMetrics();
  const registers = [registry];

  const renders = new Histogram({
    name: 'page_render_duration_seconds',
    help: 'Time to render a page, its calls to the API included.',
    labelNames: ['outcome'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 1.5, 2.5, 5],
    registers,
  });
  const errors = new Counter({
    name: 'page_errors_total',
    help: 'Unexpected errors of loaders, components and the server itself. Each is logged.',
    registers,
  });
  const lookups = new Counter({
    name: 'page_cache_requests_total',
    help: 'Requests for pages by how the page cache served them.',
    labelNames: ['result'],
    registers,
  });

  return {
    text,
    requestStarted,
    requestEnded,

    /** Records how long a page took to render. `since` is the value of `performance.now()` when the rendering started. */
    pageRendered(status: number, since: number): void {
      const outcome = status === 503 ? 'unavailable' : status >= 500 ? 'failed' : 'complete';
      renders.observe({ outcome }, (performance.now() - since) / 1000);
    },

    pageFailed: () => errors.inc(),

    /**
     * Counts how the page cache handled a request. 'hit': the cached page was sent. 'miss': the page was rendered. 'shared':
     * the request waited for a rendering that an earlier request had started. 'bypass': the page may be personal, so the
     * cache was not used. 'stale': the API was unavailable, so an outdated page was sent from the cache. The request was
     * then also counted as a 'miss'.
     */
    pageRequested: (result: 'hit' | 'miss' | 'shared' | 'bypass' | 'stale') => lookups.inc({ result }),

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
  };
}
