import type { AddRoute } from '../http/contract-router.ts';
import type { Metrics } from './metrics.ts';

/**
 * Creates the route POST /vitals, which adds the web vitals of a page view to the metrics of the API. They are stored
 * nowhere else.
 */
export function addVitalsRoutes(addRoute: AddRoute, metrics: Pick<Metrics, 'observeVitals'>): void {
  addRoute('POST /vitals', ({ body }, res) => {
    metrics.observeVitals(body);
    res.status(204).end();
  });
}
