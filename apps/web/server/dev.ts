import { createHttpServer } from '@rtr/http-server';
import { createServer as createViteServer } from 'vite';
import type { createRenderer, RenderPage } from '../src/entry-server.tsx';
import { readEnvironment } from './environment.ts';
import { createMetrics } from './metrics.ts';
import { createLog, serve, stackOf } from './serve.ts';
import { createWebServer } from './web-server.ts';

// Starts the web server for development. Vite compiles the source files on request, so no build is needed.
const environment = readEnvironment(process.env);
const closing = new AbortController();
const metrics = createMetrics();
// The WebSocket of Vite sends nothing while no file changes. With a send timeout, the server would close it.
const server = createHttpServer(undefined, { sendTimeoutMs: Number.POSITIVE_INFINITY });
const vite = await createViteServer({
  server: { middlewareMode: true, hmr: { server } },
  appType: 'custom',
});

const renderPage: RenderPage = async (request) => {
  try {
    const module = await vite.ssrLoadModule('/src/entry-server.tsx');
    const render = (module.createRenderer as typeof createRenderer)({
      entry: '/src/load-scripts.ts',
      assetsOf: () => ({ styles: ['/src/app.css'], app: '/src/entry-client.tsx', routeScripts: [] }),
      api: environment.api,
      origin: environment.origin,
      onError: (error) => vite.config.logger.error(stackOf(error)),
    });
    const page = await render(request);
    return { ...page, html: await withViteClient(request.url, page.html) };
  } catch (error) {
    if (error instanceof Error) vite.ssrFixStacktrace(error);
    throw error;
  }
};

server.on(
  'request',
  createWebServer({
    ...environment,
    closing: closing.signal,
    log: createLog(process.stdout),
    metrics,
    contentSecurityPolicy: false,
    assets: vite.middlewares,
    renderPage,
    isPersonal: () => true, // Turns off the page cache, which would hide changes in the source files.
  }),
);
await serve(server, { ...environment, closing, metrics });

/**
 * Adds Vite's scripts to the head of the HTML. React would report white space between their tags as a hydration mismatch, so
 * it is removed.
 */
async function withViteClient(url: string, html: Buffer): Promise<Buffer> {
  const scripts = await vite.transformIndexHtml(url, '<head></head>');
  const inner = scripts.slice(scripts.indexOf('<head>') + '<head>'.length, scripts.indexOf('</head>'));
  return Buffer.from(html.toString().replace('<head>', () => `<head>${inner.replaceAll(/>\s+</g, '><').trim()}`));
}
