import { readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import sirv from 'sirv';
import type { Connect, Plugin } from 'vite';
import { securityHeaders } from './security-headers.ts';
import { webConfigFrom } from './web-config.ts';

/** Serves `/config.json` in `dev` and `preview`, and in `preview` the built app as the production web server does. */
export function webServer(env: Readonly<Record<string, string | undefined>>): Plugin {
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
      server.middlewares.use((req, res, next) => {
        const path = pathOf(req);
        if (path === '/api' || path.startsWith('/api/')) return next();
        for (const [name, value] of Object.entries('encrypted' in req.socket ? secure : plain))
          res.setHeader(name, value);
        if (req.method !== 'GET' && req.method !== 'HEAD') return end(res.setHeader('Allow', 'GET, HEAD'), 405);
        if (path === '/config.json') return sendJson(res, auth);
        return files(req, res);
      });
    },
  };
}

/** The built files, precompressed; any other path without an extension is a screen of the app. */
function builtFiles(folder: string): Connect.SimpleHandleFunction {
  return sirv(folder, {
    single: true,
    ignores: [/\.[^/]*$/],
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
