import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import express, { type NextFunction, type Request, type RequestHandler, type Response } from 'express';
import type { Environment } from './environment.ts';
import type { Metrics } from './metrics.ts';
import { type PageOptions, pageHandler } from './pages.ts';
import { createProxy, requestIdHeader } from './proxy.ts';
import { securityHeaders } from './security-headers.ts';
import { stackOf } from './serve.ts';

const malformedAddress = 'This web address is not valid. Check the link and try again.';

interface WebServerOptions
  extends Pick<Environment, 'api' | 'auth' | 'authEmulator' | 'trustedProxies'>,
    Omit<PageOptions, 'commonHeaders'> {
  /** Serves the files of the app, such as scripts and pictures. */
  assets: RequestHandler;
  /**
   * Writes an object as a line of JSON to the log. Called for each page, each request to the API, and each unexpected error.
   */
  log: (line: object) => void;
  metrics: Metrics;
  /** Aborted when the server starts to shut down. */
  closing: AbortSignal;
  /** Whether to send the Content-Security-Policy. False in development, because Vite adds inline scripts. */
  contentSecurityPolicy?: boolean;
}

/**
 * Creates the request listener of the web server. It serves the pages and files of the app, and forwards requests for /api
 * to the API.
 */
export function createWebServer(options: WebServerOptions): RequestListener {
  const { api, auth, authEmulator, assets, log, metrics, closing, contentSecurityPolicy = true } = options;
  const commonHeaders = securityHeaders(auth.authDomain);
  if (!contentSecurityPolicy) delete commonHeaders['Content-Security-Policy'];
  const pages = pageHandler({ ...options, commonHeaders });
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.set('trust proxy', options.trustedProxies);

  app.get('/healthz', (_req, res) => {
    res.set('Cache-Control', 'no-store');
    res.status(closing.aborted ? 503 : 200).json({ status: closing.aborted ? 'closing' : 'ok' });
  });

  app.use((_req, res, next) => {
    // During shutdown, this header makes the reverse proxy open its next connection to another instance.
    if (closing.aborted) res.set('Connection', 'close');
    next();
  });

  const apiProxy = createProxy(api);
  app.use('/api', named('/api'), observed, apiProxy);
  for (const path of ['/robots.txt', '/sitemap.xml']) app.get(path, named(path), observed, apiProxy);
  app.get('/pictures/u/:id', named('/pictures/u'), observed, apiProxy);
  if (authEmulator) app.use(emulatorProxy(authEmulator, commonHeaders));

  app.use((req, res, next) => {
    res.set(commonHeaders);
    if (req.method === 'GET' || req.method === 'HEAD') return next();
    res.set('Allow', 'GET, HEAD').status(405).type('text/plain').send('Only GET and HEAD requests are allowed here.');
  });
  app.get('/config.json', (req, res) => {
    res.set('Cache-Control', 'no-cache');
    // Tells the browser that the Auth emulator is at the origin of this server. This server forwards the requests to the
    // emulator.
    res.json({ ...auth, ...(authEmulator && { authEmulator: originOf(req) }) });
  });
  app.use((_req, res, next) => {
    // sirv ignores errors of the file that it sends, for example if too many files are open. Without this listener, such an
    // error would end the process.
    res.once('pipe', (file) => file.once('error', next));
    next();
  }, assets);
  app.use(observed, async (req: Request, res: Response) => {
    if (isForFile(req)) {
      res.status(404).type('text/plain').set('Cache-Control', 'no-cache').send('File not found.');
      return;
    }
    res.locals.route = await pages.sendPage(req, res);
  });
  app.use((error: unknown, req: Request, res: Response, next: NextFunction) => {
    // Express reports a malformed path parameter as a URIError. This error is not logged, because the message of the
    // error contains the parameter.
    if (error instanceof URIError) {
      res.status(400).type('text/plain').set('Cache-Control', 'no-store').send(malformedAddress);
      return;
    }
    metrics.pageFailed();
    log({ level: 50, time: Date.now(), req: { id: req.headers[requestIdHeader] }, err: stackOf(error), msg: 'failed' });
    if (res.headersSent) return next(error);
    res
      .status(500)
      .type('text/plain')
      .set('Cache-Control', 'no-store')
      .send('This page could not be loaded. Try again later.');
  });
  return (req, res) => {
    const since = performance.now();
    // Gives each request a new id. The log lines of the web server and of the API for this request contain the id. An id
    // that the client has sent is not used.
    req.headers[requestIdHeader] = randomUUID();
    // A cached page is sent without Express, because Express alone would take longer than sending the page.
    const route = closing.aborted || isForFile(req) ? undefined : pages.sendCached(req, res);
    if (route === undefined) app(req, res);
    else observe(req, res, since, () => route);
  };

  /** Returns middleware that sets the route name under which the metrics count the request. */
  function named(route: string): RequestHandler {
    return (_req, res, next) => {
      res.locals.route = route;
      next();
    };
  }

  function observed(req: Request, res: Response, next: NextFunction): void {
    observe(req, res, performance.now(), () => (typeof res.locals.route === 'string' ? res.locals.route : 'none'));
    next();
  }

  /** Counts and logs the request when its response is complete or aborted. */
  function observe(req: IncomingMessage, res: ServerResponse, since: number, routeOf: () => string): void {
    metrics.requestStarted();
    res.once('close', () => {
      metrics.requestEnded(req, res, routeOf(), since);
      log({
        level: 30,
        time: Date.now(),
        // The URL is not logged here, because it may contain personal data. The API logs the URL and masks this data.
        req: { id: req.headers[requestIdHeader], method: req.method },
        res: { statusCode: res.statusCode },
        responseTime: Math.round(performance.now() - since),
        msg: res.writableFinished ? 'request completed' : 'request aborted',
      });
    });
  }
}

/**
 * The calls of the Auth emulator that the app and the emails of the emulator make. All other paths are refused, because
 * anyone could use them to list accounts, or to run a script of the emulator's own pages at the origin of the app. The list
 * has exact paths, so no spelling of another path can match.
 */
const emulatorCalls = new Set([
  ...[
    'signUp',
    'signInWithPassword',
    'signInWithIdp',
    'lookup',
    'update',
    'delete',
    'sendOobCode',
    'resetPassword',
  ].map((call) => `POST /identitytoolkit.googleapis.com/v1/accounts:${call}`),
  'POST /securetoken.googleapis.com/v1/token',
  'GET /emulator/action',
]);

function emulatorProxy(target: string, headers: Record<string, string>): RequestHandler {
  const proxy = createProxy(target);
  return (req, res, next) => {
    if (!emulatorCalls.has(`${req.method} ${req.path}`)) return next();
    res.set(headers);
    if (req.path === '/emulator/action' && !isSafeAction(req)) {
      res.status(400).type('text/plain').send('This link is not valid, or it continues at another site.');
      return;
    }
    // Removes the header, because the emulator gives full rights to a request with `Authorization: Bearer owner`.
    delete req.headers.authorization;
    return proxy(req, res, next);
  };
}

const originOf = (req: Request) => `${req.protocol}://${req.get('host') ?? ''}`;

/** Returns true if the emulator does not redirect the visitor to another site when it has handled this link. */
function isSafeAction(req: Request): boolean {
  const { continueUrl } = req.query;
  // The emulator would read an address from a parameter such as `continueUrl[]` or from a repeated one.
  const isPlain = Object.entries(req.query).every(([name, value]) => /^\w+$/.test(name) && typeof value === 'string');
  if (!isPlain || typeof continueUrl !== 'string') return isPlain;
  return URL.canParse(continueUrl) && new URL(continueUrl).origin === originOf(req);
}

/**
 * Returns true if the address looks like a file and the client is not a browser that opens a page. Browsers get the Not
 * Found page for such an address, and other clients get a short text.
 */
function isForFile({ headers, url = '' }: IncomingMessage): boolean {
  return !headers.accept?.includes('text/html') && /\.[^/.]*$/.test(url.split('?', 1)[0] ?? '');
}
