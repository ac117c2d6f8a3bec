import { Router } from 'express';
import type { Gate } from '../auth/require-customer.ts';
import { routesOn } from '../http/route.ts';
import type { Metrics } from './metrics.ts';

/** POST /vitals: how fast pages were, into the metrics and nowhere else. */
export function vitalsRoutes({ metrics, gate }: { metrics: Pick<Metrics, 'observeVitals'>; gate: Gate }): Router {
  const router = Router();
  const on = routesOn(router, gate);

  on('POST /vitals', ({ body }, res) => {
    metrics.observeVitals(body);
    res.status(204).end();
  });

  return router;
}
