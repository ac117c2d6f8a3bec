import { Router } from 'express';
import type { Db } from 'mongodb';
import { migrationsMissing, readDeadline } from '../database.ts';
import { HttpError } from '../http/problem.ts';

/** GET /healthz: this process answers. GET /readyz: it can serve; otherwise a 503 that says what is missing. */
export function healthRoutes({ db, closing }: { db: Db; closing: AbortSignal | undefined }): Router {
  const router = Router();
  let migrated = false; // asked until it is so, then no more: nothing takes indexes away while the API runs

  router.get('/healthz', (_req, res) => {
    res.json({ status: 'alive' });
  });

  router.get('/readyz', async (_req, res) => {
    if (closing?.aborted) throw unready('This instance is closing. Ask another one.');
    await db.command({ ping: 1, ...readDeadline });
    const missing = migrated ? [] : await migrationsMissing(db);
    if (missing.length > 0) throw unready(`The database lacks ${missing.join(', ')}. Run the migrate command.`);
    migrated = true;
    res.json({ status: 'ready' });
  });

  return router;
}

function unready(detail: string): HttpError {
  return new HttpError(503, detail, { headers: { 'Retry-After': '5' } });
}
