import { id } from '@rtr/shared';
import { Router } from 'express';
import * as z from 'zod/mini';
import { HttpError } from '../http/problem.ts';
import type { ListFormat, Streams } from '../http/stream.ts';
import type { ServiceStore } from '../services/services.store.ts';

interface Parts {
  services: ServiceStore;
  streams: Streams;
  /** Of the web app, as the public knows it. */
  origin: string;
}

/** The pages of the web app that search engines may list, besides those of the services. */
const pagePaths = ['/', '/services', '/blogs', '/about', '/how-reviews-work', '/privacy', '/terms'];

/** A sitemap holds at most 50,000 addresses: this many services, our own pages, and services added while it is read. */
const servicesInPart = 49_000;

/** A part of the sitemap: services from one id on, and before another. */
const part = z.strictObject({ from: z.optional(id), to: z.optional(id) });
type Part = z.infer<typeof part>;

/** GET /robots.txt and GET /sitemap.xml, which the web server passes on as they are. */
export function crawlerRoutes({ services, streams, origin }: Parts): Router {
  const router = Router();

  router.get('/robots.txt', (_req, res) => {
    // Nothing is forbidden: /api too is what a crawler needs to see the pages as visitors do.
    res.type('text/plain').send(`User-agent: *\nDisallow:\n\nSitemap: ${origin}/sitemap.xml\n`);
  });

  router.get('/sitemap.xml', async (req, res) => {
    const { success, data } = z.safeParse(part, req.query);
    if (!success) throw new HttpError(400, 'A part of the sitemap is named as /sitemap.xml names it.');
    const whole = data.from === undefined && data.to === undefined;
    // A HEAD request reads no row: the headers of both kinds are the same.
    const second = whole && req.method !== 'HEAD' ? await services.idAfter(servicesInPart) : undefined;
    if (second === undefined) await streams.send(res, pathsIn(data), urlset(origin));
    else await streams.send(res, partsFrom(second), sitemapIndex(origin));
  });

  return router;

  async function* pathsIn({ from, to }: Part): AsyncGenerator<string> {
    if (from === undefined) yield* pagePaths;
    for await (const id of services.ids({ from, to })) yield `/services/${id}`;
  }

  async function* partsFrom(second: string): AsyncGenerator<string> {
    yield `to=${second}`;
    let from = second;
    for (;;) {
      const to = await services.idAfter(servicesInPart, from);
      yield to === undefined ? `from=${from}` : `from=${from}&amp;to=${to}`;
      if (to === undefined) return;
      from = to;
    }
  }
}

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

function urlset(origin: string): ListFormat<string> {
  return {
    type: 'application/xml',
    open: `${declaration}<urlset ${namespace}>\n`,
    between: '',
    close: '</urlset>\n',
    write: (path) => `<url><loc>${origin}${path}</loc></url>\n`,
  };
}

function sitemapIndex(origin: string): ListFormat<string> {
  return {
    type: 'application/xml',
    open: `${declaration}<sitemapindex ${namespace}>\n`,
    between: '',
    close: '</sitemapindex>\n',
    write: (query) => `<sitemap><loc>${origin}/sitemap.xml?${query}</loc></sitemap>\n`,
  };
}
