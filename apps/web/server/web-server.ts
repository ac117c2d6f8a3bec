import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import type { Connect, Plugin } from 'vite';
import { isOfApi } from './api-proxy.ts';
import { pagesFrom } from './pages.ts';
import { securityHeaders } from './security-headers.ts';
import { webConfigFrom } from './web-config.ts';

interface WebServerOptions {
  env: Readonly<Record<string, string | undefined>>;
  /** Origin of the API. */
  api: string;
}

/** Serves `/config.json` in `dev` and `preview`, and in `preview` the built app as the production web server does. */
export function webServer({ env, api }: WebServerOptions): Plugin {
  return {
    name: 'web-server',
    configureServer(server) {
      const auth = webConfigFrom(env);
      server.middlewares.use('/config.json', (_req, res) => sendJson(res, auth));
    },
    async configurePreviewServer(server) {
      const auth = webConfigFrom(env);
      const folder = join(server.config.root, server.config.build.outDir);
      const html = await readFile(join(folder, 'index.html'), 'utf8').catch(() => {
        throw new Error(`There is no built app in ${folder}: build it first.`);
      });
      const plain = securityHeaders({ html, auth, secure: false });
      const secure = securityHeaders({ html, auth, secure: true });
      const files = builtFiles(folder);
      // The API knows what a page says of itself, and which there are; without it the app starts all the same.
      const pages = pagesFrom({ api, html, otherwise: files });
      server.middlewares.use((req, res, next) => {
        const path = pathOf(req);
        if (isOfApi(path)) return next();
        for (const [name, value] of Object.entries('encrypted' in req.socket ? secure : plain))
          res.setHeader(name, value);
        if (req.method !== 'GET' && req.method !== 'HEAD') return end(res.setHeader('Allow', 'GET, HEAD'), 405);
        if (path === '/config.json') return sendJson(res, auth);
        return isPage(path) ? pages(req, res) : files(req, res);
      });
    },
  };
}

const extension = /\.[^/.]*$/;

/** Any path without an extension is a page of the app; index.html by its own name is none. */
function isPage(path: string): boolean {
  return !extension.test(path) || path === '/index.html';
}

/** The built files, precompressed; any other path gives the app, unless it has an extension. */
function builtFiles(folder: string): Connect.SimpleHandleFunction {
  return sirv(folder, {
    single: true,
    ignores: [extension],
    etag: true,
    brotli: true,
    gzip: true,
    setHeaders: (res, path) => res.setHeader('Cache-Control', lifetime(path)),
    onNoMatch: (_req, res) => end(res, 404),
  });
}

function lifetime(path: string): string {
  if (path.startsWith('/assets/')) return 'public, max-age=31536000, immutable';
  if (path.startsWith('/pictures/')) return 'public, max-age=3600';
  return 'no-cache';
}

function sendJson(res: ServerResponse, value: unknown): void {
  res.setHeader('Content-Type', 'application/json');
  res.setHeader('Cache-Control', 'no-cache');
  res.end(JSON.stringify(value));
}

function end(res: ServerResponse, status: 404 | 405): void {
  res.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-cache' });
  res.end(status === 404 ? 'There is no such file.' : 'This address can only be read.');
}

function pathOf(req: IncomingMessage): string {
  return (req.url ?? '/').replace(/[?#].*$/s, '');
}
