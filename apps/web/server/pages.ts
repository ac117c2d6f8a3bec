import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import type { RenderPage } from '../src/entry-server.tsx';
import type { Metrics } from './metrics.ts';
import { requestIdHeader } from './proxy.ts';

type Encoding = 'br' | 'gzip';

/** A page as it is sent. */
interface SentPage {
  status: number;
  /** The pattern of its route, such as '/services/:id'. */
  route: string;
  headers: Map<string, string>;
  etag: string;
  html: Buffer;
  /** Made when a browser first asks for one. */
  compressed: Map<Encoding, Promise<Buffer>>;
}

export interface PageOptions {
  renderPage: RenderPage;
  /** Whether a page with these cookies may differ from the page of any other visitor: it is not kept. */
  isPersonal: (cookies: string) => boolean;
  /** How long a page is kept for other visitors. */
  cacheMs?: number;
  cacheBytes?: number;
  metrics: Metrics;
}

const defaultCacheMs = 1000;
const defaultCacheBytes = 64 * 1024 * 1024;
/** A response of this size fits into one packet. */
const minCompressedBytes = 1000;

const brotli = promisify(brotliCompress);
const compressors: Record<Encoding, (html: Buffer) => Promise<Buffer>> = {
  br: (html) => brotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
  gzip: promisify(gzip),
};

/**
 * Answers GET and HEAD requests for pages. Pages that are the same for every visitor are kept for a moment, and visitors
 * who ask for the same page while it is being rendered share one render.
 */
export function pageHandler({
  renderPage,
  isPersonal,
  cacheMs = defaultCacheMs,
  cacheBytes = defaultCacheBytes,
  metrics,
}: PageOptions): RequestHandler {
  const cache = new LRUCache<string, SentPage>({
    ttl: cacheMs,
    maxSize: cacheBytes,
    // The compressed variants together are smaller than the page itself.
    sizeCalculation: ({ html }, url) => 2 * html.length + url.length,
  });
  const rendering = new Map<string, Promise<SentPage>>();

  metrics.watchPageCache(() => cache.calculatedSize);

  return async (req, res) => {
    const isShared = req.headers.authorization === undefined && !isPersonal(req.headers.cookie ?? '');
    if (!isShared) metrics.pageRequested('bypass');
    const page = isShared ? await sharedPage(req) : await render(req);
    res.locals.route = page.route;
    await send(req, res, page);
  };

  async function sharedPage(req: Request): Promise<SentPage> {
    const url = req.originalUrl;
    const kept = cache.get(url);
    if (kept) {
      metrics.pageRequested('hit');
      return kept;
    }
    const running = rendering.get(url);
    metrics.pageRequested(running ? 'shared' : 'miss');
    if (running) {
      const page = await running;
      // The API refused the visitor for whom this page was rendered, and nobody else.
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
      // By the address of the visitor the API counts its rate limits.
      apiHeaders: { 'X-Forwarded-For': req.ip ?? '', 'X-Request-Id': String(req.headers[requestIdHeader]) },
    });
    metrics.pageRendered(status, since);
    const etag = `W/"${hash('sha256', html, 'base64url').slice(0, 22)}"`;
    const sent = { ...headers, Vary: 'Accept-Encoding, Cookie', ...(status === 200 && { ETag: etag }) };
    return { status, route, headers: new Map(Object.entries(sent)), etag, html, compressed: new Map() };
  }
}

async function send(req: Request, res: Response, page: SentPage): Promise<void> {
  const { status, headers, etag, html, compressed } = page;
  const isUnchanged = status === 200 && req.headers['if-none-match'] === etag;
  res.setHeaders(headers);
  if (isUnchanged) {
    res.status(304).end();
    return;
  }
  const encoding = html.length >= minCompressedBytes && (req.acceptsEncodings('br') || req.acceptsEncodings('gzip'));
  let body = html;
  if (encoding === 'br' || encoding === 'gzip') {
    res.setHeader('Content-Encoding', encoding);
    const made = compressed.get(encoding) ?? compressors[encoding](html);
    compressed.set(encoding, made);
    body = await made;
  }
  res.status(status).setHeader('Content-Length', body.length);
  res.end(req.method === 'HEAD' ? undefined : body);
}
