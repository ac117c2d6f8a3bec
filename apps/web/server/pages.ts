import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import accepts from 'accepts';
import type { Request, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { RenderPage } from '../src/entry-server.tsx';
import type { Metrics } from './metrics.ts';
import { requestIdHeader } from './proxy.ts';

type Encoding = 'br' | 'gzip' | 'identity';

/** A page in one content encoding. */
interface Variant {
  headers: Record<string, string | number>;
  body: Buffer;
}

/** A rendered page with the status and headers of its response. */
interface SentPage {
  status: number;
  /** The route pattern of the page, such as '/services/:id'. */
  route: string;
  headers: Record<string, string>;
  etag: string;
  html: Buffer;
  /** The page in each content encoding that was requested. Each is compressed on its first request. */
  variants: Map<Encoding, Promise<Variant>>;
  /** The variants that are completely compressed. */
  finished: Map<Encoding, Variant>;
}

export interface PageOptions {
  renderPage: RenderPage;
  /** Returns true if the page may be different for a visitor with these cookies. Such a page is not cached. */
  isPersonal: (cookies: string) => boolean;
  /** The time to live of a cached page, in milliseconds. */
  cacheMs?: number;
  cacheBytes?: number;
  /** Headers that are sent with every page. */
  commonHeaders: Record<string, string>;
  metrics: Metrics;
}

const defaultCacheMs = 1000;
const defaultCacheBytes = 64 * 1024 * 1024;
/** Smaller pages are not compressed, because they fit into one packet. */
const minCompressedBytes = 1000;

const brotli = promisify(brotliCompress);
const compressors: Record<Encoding, (html: Buffer) => Promise<Buffer>> = {
  identity: async (html) => html,
  br: (html) => brotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: promisify(gzip),
};

export interface PageHandler {
  /** Sends the page from the cache and returns its route. If the page must be rendered, sends nothing and returns undefined. */
  sendCached(req: IncomingMessage, res: ServerResponse): string | undefined;
  /** Sends the page and returns its route. */
  sendPage(req: Request, res: Response): Promise<string>;
}

/**
 * Handles GET and HEAD requests for pages. Pages that are the same for all visitors are cached for a short time, and
 * concurrent requests for such a page share one render.
 */
export function pageHandler({
  renderPage,
  isPersonal,
  cacheMs = defaultCacheMs,
  cacheBytes = defaultCacheBytes,
  commonHeaders,
  metrics,
}: PageOptions): PageHandler {
  const cache = new LRUCache<string, SentPage>({
    ttl: cacheMs,
    maxSize: cacheBytes,
    // Counts the HTML twice, because all compressed variants together are smaller than the HTML.
    sizeCalculation: ({ html }, url) => 2 * html.length + url.length,
  });
  const rendering = new Map<string, Promise<SentPage>>();

  metrics.watchPageCache(() => cache.calculatedSize);

  const isShared = ({ headers }: IncomingMessage) =>
    headers.authorization === undefined && !isPersonal(headers.cookie ?? '');

  return {
    sendCached(req, res) {
      const page = req.method === 'GET' || req.method === 'HEAD' ? cache.get(req.url ?? '') : undefined;
      const variant = page?.finished.get(encodingFor(req, page));
      if (!page || !variant || !isShared(req)) return undefined;
      metrics.pageRequested('hit');
      send(req, res, page, variant);
      return page.route;
    },
    async sendPage(req, res) {
      if (!isShared(req)) metrics.pageRequested('bypass');
      const page = isShared(req) ? await sharedPage(req) : await render(req);
      send(req, res, page, await variantOf(page, encodingFor(req, page)));
      return page.route;
    },
  };

  async function sharedPage(req: Request): Promise<SentPage> {
    const url = req.originalUrl;
    const cached = cache.get(url);
    if (cached) {
      metrics.pageRequested('hit');
      return cached;
    }
    const running = rendering.get(url);
    metrics.pageRequested(running ? 'shared' : 'miss');
    if (running) {
      const page = await running;
      // If the page is a 429, only the other visitor, whose request rendered it, has reached the rate limit. So it is
      // rendered again.
      return page.status === 429 ? render(req) : page;
    }
    const first = render(req)
      .then((page) => {
        if (page.status === 200 || page.status === 404) cache.set(url, page);
        return page;
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
      // The API needs the address of the visitor for its rate limits.
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
    };
  }
}

function encodingFor(req: IncomingMessage, { html }: SentPage): Encoding {
  if (html.length < minCompressedBytes) return 'identity';
  const accepted = accepts(req);
  if (accepted.encoding('br')) return 'br';
  return accepted.encoding('gzip') ? 'gzip' : 'identity';
}

function variantOf({ headers, html, variants, finished }: SentPage, encoding: Encoding): Promise<Variant> {
  const existing = variants.get(encoding);
  if (existing) return existing;
  const compression = compressors[encoding](html).then((body) => {
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
