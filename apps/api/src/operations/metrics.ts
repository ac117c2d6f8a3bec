import { createServer, type Server } from 'node:http';
import type { LimitName, VitalsReport } from '@rtr/shared';
import type { RequestHandler } from 'express';
import type { MongoClient } from 'mongodb';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { collectDatabaseMetrics } from './database-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

interface ScrapeSources {
  openStreamCount: () => number;
  staleSummaryCount: () => Promise<number>;
}

/** The methods with their own label. Others are labelled `other`, because clients could create any number of labels. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);
/** How long the number of stale summaries is cached for all scrapes. */
const staleCountTtlMs = 10_000;

/**
 * Creates the Prometheus metrics of one API instance. Labels have a fixed set of values, and never contain request data.
 * docs/operations.md describes each metric.
 */
export function createMetrics(client: MongoClient) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  collectDatabaseMetrics(client, registry);

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
  const refusals = new Counter({
    name: 'rate_limit_refusals_total',
    help: 'Requests refused with 429, by the limit that was reached.',
    labelNames: ['limit'],
    registers,
  });
  const tokens = new Counter({
    name: 'auth_tokens_total',
    help: 'Requests to routes with a token, by outcome: accepted, missing, refused (401), or failed (not checked because of an error).',
    labelNames: ['token', 'outcome'],
    registers,
  });
  const firebaseCalls = new Counter({
    name: 'firebase_calls_total',
    help: 'Calls to Firebase: answered, or away. While Firebase is away, cached answers may still be used.',
    labelNames: ['outcome'],
    registers,
  });
  // The buckets include the thresholds of web.dev for all four metrics.
  const vitalMilliseconds = new Histogram({
    name: 'web_vitals_milliseconds',
    help: 'LCP, INP, FCP and TTFB of page views, as measured by browsers.',
    labelNames: ['name'],
    buckets: [50, 100, 200, 300, 500, 800, 1200, 1800, 2500, 3000, 4000, 6000, 10_000, 20_000],
    registers,
  });
  const layoutShift = new Histogram({
    name: 'web_vitals_cumulative_layout_shift',
    help: 'CLS of page views, as measured by browsers.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1],
    registers,
  });

  /** Counts and times each request by its route pattern. */
  const measureRequest: RequestHandler = (req, res, next) => {
    const startedAt = performance.now();
    inFlight.inc();
    res.once('close', () => {
      const path: unknown = req.route?.path;
      const route = typeof path === 'string' ? path : 'none';
      const method = methods.has(req.method) ? req.method : 'other';
      inFlight.dec();
      requests.inc({ method, route, status: res.writableFinished ? String(res.statusCode) : 'aborted' });
      durations.observe({ method, route }, (performance.now() - startedAt) / 1000);
    });
    next();
  };

  return {
    measureRequest,

    countRefusal(limit: LimitName): void {
      refusals.inc({ limit });
    },

    countToken(token: 'access' | 'firebase', outcome: 'accepted' | 'missing' | 'refused' | 'failed'): void {
      tokens.inc({ token, outcome });
    },

    countFirebaseCall(outcome: 'answered' | 'away'): void {
      firebaseCalls.inc({ outcome });
    },

    observeVitals({ vitals }: VitalsReport): void {
      for (const { name, value } of vitals) {
        if (name === 'CLS') layoutShift.observe(value);
        else vitalMilliseconds.observe({ name }, value);
      }
    },

    /** Adds gauges whose values are read during a scrape. */
    observeOnScrape({ openStreamCount, staleSummaryCount }: ScrapeSources): void {
      let cached = { at: -Infinity, count: Promise.resolve(0) };
      registry.registerMetric(
        new Gauge({
          name: 'json_streams_open',
          help: 'Complete lists being sent.',
          registers: [],
          collect() {
            this.set(openStreamCount());
          },
        }),
      );
      registry.registerMetric(
        new Gauge({
          name: 'summaries_behind',
          help: 'Services with stale counts and stars, up to 1000. NaN if the database does not answer.',
          registers: [],
          async collect() {
            const now = performance.now();
            if (now - cached.at > staleCountTtlMs) cached = { at: now, count: staleSummaryCount().catch(() => NaN) };
            this.set(await cached.count);
          },
        }),
      );
    },

    /** Returns all metrics in the text format of Prometheus. */
    text: () => registry.metrics(),
  };
}

/** Creates a server with the single route GET /metrics, which listens on a separate port that is not public. */
export function createMetricsServer(metrics: Pick<Metrics, 'text'>): Server {
  return createServer(({ method, url }, res) => {
    if (method !== 'GET' || url !== '/metrics') {
      res.writeHead(404).end();
      return;
    }
    metrics.text().then(
      (text) => res.writeHead(200, { 'Content-Type': Registry.PROMETHEUS_CONTENT_TYPE }).end(text),
      () => res.writeHead(500).end(),
    );
  });
}
