import { createHttpMetrics } from '@rtr/http-server/metrics';
import type { LimitName, VitalsReport } from '@rtr/shared';
import type { MongoClient } from 'mongodb';
import { Counter, Gauge, Histogram } from 'prom-client';
import type { MailOutcome } from '../news/mail-server.ts';
import { collectDatabaseMetrics } from './database-metrics.ts';

export type Metrics = ReturnType<typeof createMetrics>;

interface ScrapeSources {
  openStreamCount: () => number;
  staleSummaryCount: () => Promise<number>;
  cacheBytes: () => number;
}

/** How long the number of stale summaries is cached, so that frequent scrapes of the metrics cause few database commands. */
const staleCountTtlMs = 10_000;

/**
 * Creates the Prometheus metrics of one API instance. Each label has a fixed set of values, which contains no data of
 * requests. docs/operations.md describes each metric.
 */
export function createMetrics(client: MongoClient) {
  const { registry, text, requestStarted, requestEnded } = createHttpMetrics();
  const registers = [registry];
  collectDatabaseMetrics(client, registry);

  const rejections = new Counter({
    name: 'rate_limit_rejections_total',
    help: 'Requests rejected with 429, by the limit that was reached.',
    labelNames: ['limit'],
    registers,
  });
  const tokens = new Counter({
    name: 'auth_tokens_total',
    help: 'Requests to routes with a token, by outcome: accepted, missing, rejected (401), or failed (not checked because of an error).',
    labelNames: ['token', 'outcome'],
    registers,
  });
  const firebaseCalls = new Counter({
    name: 'firebase_calls_total',
    help: 'Calls to Firebase: answered, or away (unavailable). While Firebase is unavailable, cached responses may be used.',
    labelNames: ['outcome'],
    registers,
  });
  // The histogram buckets contain the thresholds of web.dev for LCP, INP, FCP and TTFB.
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

  const emails = new Counter({
    name: 'news_emails_total',
    help: 'Attempts to send an email about news: sent, refused (tried again after a day), or failed (tried again after minutes).',
    labelNames: ['result'],
    registers,
  });
  const cacheRequests = new Counter({
    name: 'response_cache_requests_total',
    help: 'Public reads by how the response cache served them.',
    labelNames: ['result'],
    registers,
  });

  return {
    requestStarted,
    requestEnded,

    /**
     * Counts how the response cache handled a public read. 'shared': the request waited for the read of another request.
     * 'bypass': the client asked for a fresh response.
     */
    countCacheRequest(result: 'hit' | 'miss' | 'shared' | 'bypass'): void {
      cacheRequests.inc({ result });
    },

    countRejection(limit: LimitName): void {
      rejections.inc({ limit });
    },

    countToken(token: 'access' | 'firebase', outcome: 'accepted' | 'missing' | 'rejected' | 'failed'): void {
      tokens.inc({ token, outcome });
    },

    countFirebaseCall(outcome: 'answered' | 'away'): void {
      firebaseCalls.inc({ outcome });
    },

    countEmail(result: MailOutcome): void {
      emails.inc({ result });
    },

    observeVitals({ vitals }: VitalsReport): void {
      for (const { name, value } of vitals) {
        if (name === 'CLS') layoutShift.observe(value);
        else vitalMilliseconds.observe({ name }, value);
      }
    },

    /** Adds gauges. Their values are read when Prometheus scrapes the metrics. */
    observeOnScrape({ openStreamCount, staleSummaryCount, cacheBytes }: ScrapeSources): void {
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
          name: 'response_cache_bytes',
          help: 'Size of the cached responses, estimated for the limit of the cache.',
          registers: [],
          collect() {
            this.set(cacheBytes());
          },
        }),
      );
      registry.registerMetric(
        new Gauge({
          name: 'summaries_behind',
          help: 'Services with stale counts and stars, up to 1000. NaN if the database does not respond.',
          registers: [],
          async collect() {
            const now = performance.now();
            if (now - cached.at > staleCountTtlMs) cached = { at: now, count: staleSummaryCount().catch(() => NaN) };
            this.set(await cached.count);
          },
        }),
      );
    },

    text,
  };
}
