import type { VitalsReport } from '@rtr/shared';
import { type Metric, onCLS, onFCP, onINP, onLCP, onTTFB } from 'web-vitals';

/**
 * Measures the web vitals, and sends them when the page is hidden or left. The report does not identify the visitor or the
 * page.
 */
export function reportVitals(): void {
  const found = new Map<string, Metric>();
  const sent = new Set<string>();
  for (const watch of [onLCP, onINP, onCLS, onFCP, onTTFB]) watch((metric) => void found.set(metric.id, metric));
  // When this listener runs, the library web-vitals has already reported its final values, because it reports them in the
  // capture phase.
  document.addEventListener('visibilitychange', () => {
    const fresh = [...found.values()].filter(({ id }) => !sent.has(id));
    if (document.visibilityState !== 'hidden' || fresh.length === 0) return;
    for (const { id } of fresh) sent.add(id);
    found.clear();
    const report: VitalsReport = { vitals: fresh.map(({ name, value }) => ({ name, value })) };
    navigator.sendBeacon('/api/vitals', new Blob([JSON.stringify(report)], { type: 'application/json' }));
  });
}
