import { createServer, type Server } from 'node:http';
import type { LimitName, VitalsReport } from '@rtr/shared';
import type { RequestHandler } from 'express';
import type { MongoClient } from 'mongodb';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { watchDatabase } from './database-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

/** Any other would be a label of its own, and whoever asks could make as many as they like. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE', 'OPTIONS']);
/** How long an answer of the database serves all who scrape, in milliseconds. */
const countedFor = 10_000;

/**
 * What one instance of the API says of itself to Prometheus. Labels come from short lists, never from what was asked or
 * by whom. docs/operations.md has a line for each.
 */
export function createMetrics(client: MongoClient) {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  watchDatabase(client, registry);

  const requests = new Counter({
    name: 'http_requests_total',
    help: 'Requests by their end: a status, or "aborted" when the reader was gone before.',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const durations = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'From the first line of a request to the last byte of its answer.',
    labelNames: ['method', 'route'],
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  const inFlight = new Gauge({ name: 'http_requests_in_flight', help: 'Requests that are being answered.', registers });
  const refusals = new Counter({
    name: 'rate_limit_refusals_total',
    help: 'Requests refused with 429, by which limit was reached: an address’s or a customer’s in a minute, or one of a customer’s quotas.',
    labelNames: ['limit'],
    registers,
  });
  const tokens = new Counter({
    name: 'auth_tokens_total',
    help: 'Requests to routes that take a token: accepted, missing, refused (401), or failed: nobody could tell.',
    labelNames: ['token', 'outcome'],
    registers,
  });
  const firebaseCalls = new Counter({
    name: 'firebase_calls_total',
    help: 'Questions to Firebase: answered, or away. While it is away older answers may still serve.',
    labelNames: ['outcome'],
    registers,
  });
  // The bounds hold web.dev's thresholds of all four.
  const vitalMilliseconds = new Histogram({
    name: 'web_vitals_milliseconds',
    help: 'LCP, INP, FCP and TTFB of page views, as browsers measured them.',
    labelNames: ['name'],
    buckets: [50, 100, 200, 300, 500, 800, 1200, 1800, 2500, 3000, 4000, 6000, 10_000, 20_000],
    registers,
  });
  const layoutShift = new Histogram({
    name: 'web_vitals_cumulative_layout_shift',
    help: 'CLS of page views, as browsers measured it.',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1],
    registers,
  });

  /** Counts and times each request, by the pattern of its route. */
  const request: RequestHandler = (req, res, next) => {
    const since = performance.now();
    inFlight.inc();
    res.once('close', () => {
      const path: unknown = req.route?.path;
      const route = typeof path === 'string' ? path : 'none';
      const method = methods.has(req.method) ? req.method : 'other';
      inFlight.dec();
      requests.inc({ method, route, status: res.writableFinished ? String(res.statusCode) : 'aborted' });
      durations.observe({ method, route }, (performance.now() - since) / 1000);
    });
    next();
  };

  return {
    request,

    refused(limit: 'address' | 'customer' | LimitName): void {
      refusals.inc({ limit });
    },

    tokenSeen(token: 'access' | 'firebase', outcome: 'accepted' | 'missing' | 'refused' | 'failed'): void {
      tokens.inc({ token, outcome });
    },

    firebaseAsked(outcome: 'answered' | 'away'): void {
      firebaseCalls.inc({ outcome });
    },

    observeVitals({ vitals }: VitalsReport): void {
      for (const { name, value } of vitals) {
        if (name === 'CLS') layoutShift.observe(value);
        else vitalMilliseconds.observe({ name }, value);
      }
    },

    /** Adds what is looked at only when somebody scrapes. */
    watch({ openStreams, behind }: { openStreams: () => number; behind: () => Promise<number> }): void {
      let counted = { at: -Infinity, services: Promise.resolve(0) };
      registry.registerMetric(
        new Gauge({
          name: 'json_streams_open',
          help: 'Whole lists that are being sent.',
          registers: [],
          collect() {
            this.set(openStreams());
          },
        }),
      );
      registry.registerMetric(
        new Gauge({
          name: 'summaries_behind',
          help: 'Services, 1000 at most, whose counts and stars are older than their reviews. NaN: nobody could tell.',
          registers: [],
          async collect() {
            const now = performance.now();
            if (now - counted.at > countedFor) counted = { at: now, services: behind().catch(() => NaN) };
            this.set(await counted.services);
          },
        }),
      );
    },

    /** Prometheus' text format. */
    text: () => registry.metrics(),
  };
}

/** Answers GET /metrics, and nothing else. For a port of its own, which nobody outside can reach. */
export function metricsServer(metrics: Pick<Metrics, 'text'>): Server {
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
