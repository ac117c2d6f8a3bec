import type { VitalsReport } from '@rtr/shared';
import { Histogram, Registry } from 'prom-client';

export type Metrics = ReturnType<typeof createMetrics>;

/** What one instance of the API says of itself to Prometheus. Labels come from short lists, never from who asks. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];

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

  return {
    /** Prometheus' text format. */
    text: () => registry.metrics(),

    observeVitals({ vitals }: VitalsReport): void {
      for (const { name, value } of vitals) {
        if (name === 'CLS') layoutShift.observe(value);
        else vitalMilliseconds.observe({ name }, value);
      }
    },
  };
}
