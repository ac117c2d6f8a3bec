import { Router } from 'express';
import type { Db } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import { findMissingIndexes } from '../database/migrations.ts';
import { UnavailableError } from '../errors.ts';

const retryAfterSeconds = 5;

interface HealthRoutesOptions {
  db: Db;
  shutdownSignal: AbortSignal | undefined;
}

/**
 * Creates the health checks. GET /healthz succeeds while the process responds. GET /readyz succeeds while this API instance
 * can serve requests, and otherwise responds with 503 and says what is missing.
 */
export function healthRoutes({ db, shutdownSignal }: HealthRoutesOptions): Router {
  const router = Router();
  // When all indexes exist, they are not checked any more, because no index is removed while the API is running.
  let isMigrated = false;

  router.get('/healthz', (_req, res) => {
    res.json({ status: 'alive' });
  });

  router.get('/readyz', async (_req, res) => {
    if (shutdownSignal?.aborted) throw new UnavailableError('This instance is shutting down.', retryAfterSeconds);
    await db.command({ ping: 1, ...readTimeout });
    const missing = isMigrated ? [] : await findMissingIndexes(db);
    if (missing.length > 0)
      throw new UnavailableError(
        `The database lacks ${missing.join(', ')}. Run the migrate command.`,
        retryAfterSeconds,
      );
    isMigrated = true;
    res.json({ status: 'ready' });
  });

  return router;
}
