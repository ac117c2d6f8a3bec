import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** The app starts as well without its page's head, so nobody waits long for it. In milliseconds. */
const patience = 1500;

/** What is the page's own; every other header is the web server's. */
const passedOn = [
  'content-type',
  'content-length',
  'cache-control',
  'etag',
  'retry-after',
  'x-request-id',
  'x-robots-tag',
];

type Handler = (req: IncomingMessage, res: ServerResponse) => void;

interface PagesOptions {
  /** Origin of the API. */
  api: string;
  /** The built index.html. */
  html: string;
  /** Answers where the API gives no page. */
  otherwise: Handler;
}

/** Names the build whose files are served here: the API gives pages of no other, whose scripts would be missing. */
export const buildHeader = (html: string) =>
  ['X-Web-Build', createHash('sha256').update(html).digest('base64url')] as const;

/** Answers with the pages of the API. */
export function pagesFrom({ api, html, otherwise }: PagesOptions): Handler {
  const build = Object.fromEntries([buildHeader(html)]);
  const agent = new Agent({ keepAlive: true });
  return (req, res) => void answer(req, res);

  async function answer(req: IncomingMessage, res: ServerResponse): Promise<void> {
    const page = await ask(req).catch(() => undefined);
    const isPage = page?.statusCode === 304 || page?.headers['content-type']?.startsWith('text/html');
    if (!page || !isPage) {
      page?.destroy();
      otherwise(req, res);
      return;
    }
    res.statusCode = page.statusCode ?? 200;
    for (const name of passedOn) {
      const value = page.headers[name];
      if (value !== undefined) res.setHeader(name, value);
    }
    // Breaks off here when it breaks off there, or the visitor leaves.
    await pipeline(page, res).catch(() => undefined);
  }

  async function ask(req: IncomingMessage): Promise<IncomingMessage> {
    const { 'if-none-match': etag, 'x-forwarded-for': before } = req.headers;
    const address = [before, req.socket.remoteAddress].filter(Boolean).join(', ');
    const asked = request(api, {
      agent,
      method: req.method,
      path: `/pages${req.url}`, // as it came: a URL would take out what leads elsewhere, such as /../
      headers: { ...build, 'X-Forwarded-For': address, ...(etag !== undefined && { 'If-None-Match': etag }) },
    });
    asked.on('error', () => undefined); // later than its answer, which breaks off by itself
    const timer = setTimeout(() => asked.destroy(), patience);
    try {
      const [page] = (await once(asked.end(), 'response')) as [IncomingMessage];
      return page;
    } finally {
      clearTimeout(timer);
    }
  }
}
