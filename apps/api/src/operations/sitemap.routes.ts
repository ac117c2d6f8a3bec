import { id } from '@rtr/shared';
import { Router } from 'express';
import * as z from 'zod/mini';
import { InvalidInputError } from '../errors.ts';
import type { ListFormat, ListStreams } from '../http/list-streams.ts';
import type { ServiceStore } from '../services/services.store.ts';

interface SitemapRoutesOptions {
  services: Pick<ServiceStore, 'streamIds' | 'findIdAfter'>;
  listStreams: ListStreams;
  webOrigin: string;
}

/** The paths of the pages that search engines should index. The pages of the services are added to them. */
const pagePaths = ['/', '/services', '/blogs', '/about', '/how-reviews-work', '/privacy', '/terms'];

/**
 * The number of services in one part of the sitemap. A sitemap may contain at most 50,000 URLs. This smaller number
 * leaves space for the paths in `pagePaths`, and for services that are added while a crawler reads the sitemap.
 */
const servicesPerPart = 49_000;

/**
 * The query of one part of the sitemap, which contains the services from the id `from` (inclusive) to the id `to`
 * (exclusive).
 */
const partQuery = z.strictObject({ from: z.optional(id), to: z.optional(id) });
type PartQuery = z.infer<typeof partQuery>;

/** Creates the routes GET /robots.txt and GET /sitemap.xml. The web server forwards requests for these paths to the API. */
export function sitemapRoutes({ services, listStreams, webOrigin }: SitemapRoutesOptions): Router {
  const router = Router();

  router.get('/robots.txt', (_req, res) => {
    // Crawlers may read /api, because they need its data to render the pages as visitors see them.
    res.type('text/plain').send(`User-agent: *\nDisallow:\n\nSitemap: ${webOrigin}/sitemap.xml\n`);
  });

  router.get('/sitemap.xml', async (req, res) => {
    const { success, data } = z.safeParse(partQuery, req.query);
    if (!success) throw new InvalidInputError('Use the URLs of the sitemap index at /sitemap.xml.');
    const isIndex = data.from === undefined && data.to === undefined;
    // A HEAD request needs only the headers. They are the same for a sitemap and an index of sitemaps, so no rows are read.
    const secondPart = isIndex && req.method !== 'HEAD' ? await services.findIdAfter(servicesPerPart) : undefined;
    if (secondPart === undefined) await listStreams.send(res, streamPaths(data), urlset(webOrigin));
    else await listStreams.send(res, streamPartQueries(secondPart), sitemapIndex(webOrigin));
  });

  return router;

  async function* streamPaths({ from, to }: PartQuery): AsyncGenerator<string> {
    if (from === undefined) yield* pagePaths;
    for await (const id of services.streamIds({ from, to })) yield `/services/${id}`;
  }

  async function* streamPartQueries(secondPart: string): AsyncGenerator<string> {
    yield `to=${secondPart}`;
    let from = secondPart;
    for (;;) {
      const to = await services.findIdAfter(servicesPerPart, from);
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
    contentType: 'application/xml',
    prefix: `${declaration}<urlset ${namespace}>\n`,
    separator: '',
    suffix: '</urlset>\n',
    serialize: (path) => `<url><loc>${origin}${path}</loc></url>\n`,
  };
}

function sitemapIndex(origin: string): ListFormat<string> {
  return {
    contentType: 'application/xml',
    prefix: `${declaration}<sitemapindex ${namespace}>\n`,
    separator: '',
    suffix: '</sitemapindex>\n',
    serialize: (query) => `<sitemap><loc>${origin}/sitemap.xml?${query}</loc></sitemap>\n`,
  };
}
