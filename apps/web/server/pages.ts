import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseEncoding, compress, type Encoding, minCompressedBytes } from '@rtr/http-server/compression';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { RenderPage } from '../src/entry-server.tsx';
import type { Metrics } from './metrics.ts';
import { requestIdHeader } from './proxy.ts';

/** A rendered page in one content encoding, such as gzip. */
interface Variant {
  headers: Record<string, string | number>;
  body: Buffer;
}

interface SentPage {
  status: number;
  /** The route pattern of the page, such as '/services/:id'. */
  route: string;
  headers: Record<string, string>;
  etag: string;
  html: Buffer;
  /** The page in the content encodings that clients have requested so far. Each one is compressed on its first request. */
  variants: Map<Encoding, Promise<Variant>>;
  /** The variants whose compression is finished, so that they can be sent without waiting. */
  finished: Map<Encoding, Variant>;
  /** The time until which the page is fresh, on the clock of `performance.now()`. */
  freshUntil: number;
}

export interface PageOptions {
  renderPage: RenderPage;
  /** Returns true if these cookies may change the content of a page. The page is then not cached. */
  isPersonal: (cookies: string) => boolean;
  /** How long a page stays fresh in the cache. */
  cacheMs?: number;
  cacheBytes?: number;
  commonHeaders: Record<string, string>;
  metrics: Metrics;
}

/** If the API is unavailable, visitors get the last rendering of the page, but only up to this age. */
const staleIfErrorMs = 60_000;

/**
 * Handles GET and HEAD requests for pages. A page that is the same for all visitors is cached for a short time, and
 * concurrent requests for it share one rendering.
 */
export function pageHandler({
  renderPage,
  isPersonal,
  cacheMs = 1000,
  cacheBytes = 64 * 1024 * 1024,
  commonHeaders,
  metrics,
}: PageOptions) {
  const cache = new LRUCache<string, SentPage>({
    ttl: Math.max(cacheMs, staleIfErrorMs),
    maxSize: cacheBytes,
    // Counts the length of the HTML twice, because the cache also contains the compressed variants. Together, they are
    // smaller than the HTML.
    sizeCalculation: ({ html }, url) => 2 * html.length + url.length,
  });
  const rendering = new Map<string, Promise<SentPage>>();
  const freshPage = (url: string) => {
    const page = cache.get(url);
    return page && performance.now() <= page.freshUntil ? page : undefined;
  };

  metrics.watchPageCache(() => cache.calculatedSize);

  const isShared = ({ headers }: IncomingMessage) =>
    headers.authorization === undefined && !isPersonal(headers.cookie ?? '');

  return {
    /** If the cache has a fresh page that this client may get, sends it and returns its route. Otherwise returns undefined. */
    sendCached(req: IncomingMessage, res: ServerResponse): string | undefined {
      const page = req.method === 'GET' || req.method === 'HEAD' ? freshPage(req.url ?? '') : undefined;
      const variant = page?.finished.get(encodingFor(req, page));
      if (!page || !variant || !isShared(req)) return undefined;
      metrics.pageRequested('hit');
      send(req, res, page, variant);
      return page.route;
    },
    /** Sends the page, from the cache or newly rendered. Returns its route. */
    async sendPage(req: Request, res: Response): Promise<string> {
      if (!isShared(req)) metrics.pageRequested('bypass');
      const page = isShared(req) ? await sharedPage(req) : await render(req);
      send(req, res, page, await variantOf(page, encodingFor(req, page)));
      return page.route;
    },
  };

  async function sharedPage(req: Request): Promise<SentPage> {
    const url = req.originalUrl;
    const cached = freshPage(url);
    if (cached) {
      metrics.pageRequested('hit');
      return cached;
    }
    const running = rendering.get(url);
    metrics.pageRequested(running ? 'shared' : 'miss');
    if (running) {
      const page = await running;
      // The status 429 means that the visitor whose request started this rendering has reached a rate limit of the API. The
      // limit may not apply to the current visitor, so the page is rendered again for them.
      return page.status === 429 ? render(req) : page;
    }
    const first = render(req)
      .then((page) => {
        if (page.status === 200 || page.status === 404) cache.set(url, page);
        const stale = page.status === 503 ? cache.get(url) : undefined;
        if (stale) metrics.pageRequested('stale');
        return stale ?? page;
      })
      .finally(() => rendering.delete(url));
    rendering.set(url, first);
    return first;
  }

  async function render(req: Request): Promise<SentPage> {
    const since = performance.now();
    const { status, route, headers, html } = await renderPage({
      url: req.originalUrl,
      cookies: req.headers.cookie ?? '',
      // The API needs the IP address of the visitor for its rate limits.
      apiHeaders: { 'X-Forwarded-For': req.ip ?? '', 'X-Request-Id': String(req.headers[requestIdHeader]) },
    });
    metrics.pageRendered(status, since);
    const etag = `W/"${hash('sha256', html, 'base64url').slice(0, 22)}"`;
    return {
      status,
      route,
      headers: { ...commonHeaders, ...headers, Vary: 'Accept-Encoding, Cookie', ...(status === 200 && { ETag: etag }) },
      etag,
      html,
      variants: new Map(),
      finished: new Map(),
      freshUntil: performance.now() + cacheMs,
    };
  }
}

const encodingFor = ({ headers }: IncomingMessage, { html }: SentPage): Encoding =>
  html.length < minCompressedBytes ? 'identity' : chooseEncoding(headers['accept-encoding']);

function variantOf({ headers, html, variants, finished }: SentPage, encoding: Encoding): Promise<Variant> {
  const existing = variants.get(encoding);
  if (existing) return existing;
  const compression = compress(html, encoding).then((body) => {
    const contentEncoding = encoding === 'identity' ? {} : { 'Content-Encoding': encoding };
    const variant = { headers: { ...headers, ...contentEncoding, 'Content-Length': body.length }, body };
    finished.set(encoding, variant);
    return variant;
  });
  variants.set(encoding, compression);
  return compression;
}

function send(req: IncomingMessage, res: ServerResponse, { status, headers, etag }: SentPage, variant: Variant): void {
  if (status === 200 && req.headers['if-none-match'] === etag) res.writeHead(304, headers).end();
  else res.writeHead(status, variant.headers).end(req.method === 'HEAD' ? undefined : variant.body);
}
