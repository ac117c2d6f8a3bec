import { randomUUID } from 'node:crypto';
import express, { type Express, type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Environment } from './environment.ts';
import type { Metrics } from './metrics.ts';
import { type PageOptions, pageHandler } from './pages.ts';
import { createProxy, requestIdHeader } from './proxy.ts';
import { securityHeaders } from './security-headers.ts';

interface WebServerOptions extends Pick<Environment, 'api' | 'auth' | 'authEmulator' | 'trustProxyHops'>, PageOptions {
  /** Serves the files of the app. */
  assets: RequestHandler;
  /** Takes a line of JSON for each request, and for each error of a page. */
  log: (line: object) => void;
  metrics: Metrics;
  /** Aborted when the server is about to stop. */
  closing: AbortSignal;
  /** Off in development, where Vite needs inline scripts. */
  contentSecurityPolicy?: boolean;
}

/** One server for the app: its pages, its files, and the API below /api. */
export function createWebServer(options: WebServerOptions): Express {
  const { api, auth, authEmulator, assets, log, metrics, closing, contentSecurityPolicy = true } = options;
  const pages = pageHandler(options);
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.set('trust proxy', options.trustProxyHops);

  app.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store');
    res.status(closing.aborted ? 503 : 200).json({ status: closing.aborted ? 'closing' : 'ok' });
  });

  app.use((req, res, next) => {
    // A proxy must open its next connection to another instance.
    if (closing.aborted) res.set('Connection', 'close');
    // By this id the lines of both servers are brought together. The visitor's own is not believed.
    req.headers[requestIdHeader] = randomUUID();
    next();
  });

  const apiProxy = createProxy(api);
  const observed = [metrics.request, logged];
  app.use('/api', named('/api'), observed, apiProxy);
  for (const path of ['/robots.txt', '/sitemap.xml']) app.get(path, named(path), observed, apiProxy);
  if (authEmulator) app.use(emulatorProxy(authEmulator));

  const [overHttp, overHttps] = [false, true].map((secure) => {
    const headers = securityHeaders({ authDomain: auth.authDomain, secure });
    if (!contentSecurityPolicy) headers.delete('Content-Security-Policy');
    return headers;
  }) as [Map<string, string>, Map<string, string>];
  app.use((req, res, next) => {
    res.setHeaders(req.secure ? overHttps : overHttp);
    if (req.method === 'GET' || req.method === 'HEAD') return next();
    res.set('Allow', 'GET, HEAD').status(405).type('text/plain').send('This address can only be read.');
  });
  app.get('/config.json', (req, res) => {
    res.set('Cache-Control', 'no-cache');
    // The browser reaches the emulator through this server.
    res.json({ ...auth, ...(authEmulator && { authEmulator: `${req.protocol}://${req.get('host') ?? ''}` }) });
  });
  app.use(assets);
  app.use(observed, async (req: Request, res: Response, next: NextFunction) => {
    if (/\.[^/.]*$/.test(req.path)) {
      res.status(404).type('text/plain').set('Cache-Control', 'no-cache').send('There is no such file.');
      return;
    }
    await pages(req, res, next);
  });
  app.use((error: unknown, req: Request, res: Response, next: NextFunction) => {
    log({ level: 50, time: Date.now(), req: { id: req.headers[requestIdHeader] }, err: String(error), msg: 'failed' });
    if (res.headersSent) return next(error);
    const status = error instanceof URIError ? 400 : 500;
    res.status(status).type('text/plain').set('Cache-Control', 'no-store').send('This page could not be made.');
  });
  return app;

  /** Names the route for the metrics. */
  function named(route: string): RequestHandler {
    return (_req, res, next) => {
      res.locals.route = route;
      next();
    };
  }

  function logged(req: Request, res: Response, next: NextFunction): void {
    const since = performance.now();
    res.once('close', () =>
      log({
        level: 30,
        time: Date.now(),
        // The address may hold what a visitor typed: the API logs it, masked.
        req: { id: req.headers[requestIdHeader], method: req.method },
        res: { statusCode: res.statusCode },
        responseTime: Math.round(performance.now() - since),
        msg: res.writableFinished ? 'request completed' : 'request aborted',
      }),
    );
    next();
  }
}

/** What a browser asks of the Auth emulator. The rest of it belongs to the operator: it lists and deletes accounts. */
const emulatorPath =
  /^\/(?:identitytoolkit\.googleapis\.com|securetoken\.googleapis\.com|emulator\/auth)\/|^\/emulator\/action$/;

function emulatorProxy(target: string): RequestHandler {
  const proxy = createProxy(target);
  return (req, res, next) => {
    const dots = /\/(?:\.|%2e){1,2}(?:\/|$)/i.test(req.path);
    if (!emulatorPath.test(req.path) || dots) return next();
    // `Bearer owner` would make any visitor the operator.
    delete req.headers.authorization;
    return proxy(req, res, next);
  };
}
