import { Router } from 'express';
import type { Authenticator } from '../auth/authenticator.ts';
import { contractRouter } from '../http/contract-router.ts';
import type { Metrics } from './metrics.ts';

interface VitalsRoutesOptions {
  metrics: Pick<Metrics, 'observeVitals'>;
  authenticator: Authenticator;
}

/**
 * Creates the route POST /vitals. It adds the web vitals of a page view to the metrics of the API. The web vitals are stored
 * nowhere else.
 */
export function vitalsRoutes({ metrics, authenticator }: VitalsRoutesOptions): Router {
  const router = Router();
  const route = contractRouter(router, authenticator);

  route('POST /vitals', ({ body }, res) => {
    metrics.observeVitals(body);
    res.status(204).end();
  });

  return router;
}
