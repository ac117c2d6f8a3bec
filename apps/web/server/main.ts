import { join } from 'node:path';
import { createHttpServer } from '@rtr/http-server';
import sirv from 'sirv';
import { createRenderer, isPersonal } from '../src/entry-server.tsx';
import { builtAssets } from './assets.ts';
import { readEnvironment } from './environment.ts';
import { createMetrics } from './metrics.ts';
import { createLog, serve, stackOf } from './serve.ts';
import { createWebServer } from './web-server.ts';

// `vite build --ssr` writes this file to dist/server. The files for the browser are in dist/client.
const client = join(import.meta.dirname, '../client');
const environment = readEnvironment(process.env);
const closing = new AbortController();
const metrics = createMetrics();
const log = createLog(process.stdout);

const app = createWebServer({
  ...environment,
  closing: closing.signal,
  log,
  metrics,
  assets: sirv(client, {
    etag: true,
    extensions: [],
    brotli: true,
    gzip: true,
    setHeaders: (res, path) => {
      res.setHeader('Cache-Control', lifetimeOf(path));
      // sirv does not know the type of .ico files.
      if (path.endsWith('.ico')) res.setHeader('Content-Type', 'image/vnd.microsoft.icon');
    },
  }),
  isPersonal,
  renderPage: createRenderer({
    ...builtAssets(client),
    api: environment.api,
    origin: environment.origin,
    onError: (error) => {
      metrics.pageFailed();
      log({ level: 50, time: Date.now(), err: stackOf(error), msg: 'a page failed' });
    },
  }),
});
await serve(createHttpServer(app), { ...environment, closing, metrics });

function lifetimeOf(path: string): string {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable';
  if (path.startsWith('/pictures/')) return 'public, max-age=3600';
  return 'no-cache';
}
