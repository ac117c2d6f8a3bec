import { id } from '@rtr/shared';
import { Router } from 'express';
import * as z from 'zod/mini';
import { InvalidInputError } from '../errors.ts';
import type { ListFormat, ListStreams } from '../http/list-streams.ts';
import type { ListerStore } from '../services/listers.store.ts';
import type { ServiceStore } from '../services/services.store.ts';

interface SitemapRoutesOptions {
  services: Pick<ServiceStore, 'streamIds' | 'findIdAfter'>;
  listers: Pick<ListerStore, 'streamIds' | 'findIdAfter'>;
  listStreams: ListStreams;
  webOrigin: string;
}

/** The paths of the pages that search engines should index. The pages of services and listers are added to them. */
const pagePaths = ['/', '/services', '/blogs', '/about', '/how-reviews-work', '/privacy', '/terms'];

/**
 * The number of services or listers in one part of the sitemap. A sitemap may contain at most 50,000 URLs. A sitemap with a
 * single part contains both, and `pagePaths`. This smaller number also leaves space for rows that are added meanwhile.
 */
const idsPerPart = 24_500;

const kinds = ['services', 'listers'] as const;

/** The query of one part of the sitemap: the rows `of` this kind from the id `from` (inclusive) to the id `to` (exclusive). */
const partQuery = z.strictObject({ of: z.optional(z.enum(kinds)), from: z.optional(id), to: z.optional(id) });
type PartQuery = z.infer<typeof partQuery>;

/** Creates the routes GET /robots.txt and GET /sitemap.xml. The web server forwards requests for these paths to the API. */
export function sitemapRoutes({ listStreams, webOrigin, ...stores }: SitemapRoutesOptions): Router {
  const router = Router();

  router.get('/robots.txt', (_req, res) => {
    // Crawlers may read /api, because they need its data to render the pages as visitors see them.
    res.type('text/plain').send(`User-agent: *\nDisallow:\n\nSitemap: ${webOrigin}/sitemap.xml\n`);
  });

  router.get('/sitemap.xml', async (req, res) => {
    const { success, data } = z.safeParse(partQuery, req.query);
    if (!success) throw new InvalidInputError('Use the URLs of the sitemap index at /sitemap.xml.');
    // A HEAD request needs only the headers. They are the same for a sitemap and an index of sitemaps, so no rows are read.
    const isWhole = Object.keys(data).length === 0 && req.method !== 'HEAD';
    const secondParts = isWhole ? await Promise.all(kinds.map((kind) => stores[kind].findIdAfter(idsPerPart))) : [];
    if (secondParts.every((first) => first === undefined))
      await listStreams.send(res, streamPaths(data), urlset(webOrigin));
    else await listStreams.send(res, streamPartQueries(), sitemapIndex(webOrigin));
  });

  return router;

  async function* streamPaths({ of, from, to }: PartQuery): AsyncGenerator<string> {
    if (of !== 'listers' && from === undefined) yield* pagePaths;
    for (const kind of of ? [of] : kinds)
      for await (const id of stores[kind].streamIds({ from, to })) yield `/${kind}/${id}`;
  }

  async function* streamPartQueries(): AsyncGenerator<string> {
    for (const kind of kinds) {
      let from: string | undefined;
      do {
        const to = await stores[kind].findIdAfter(idsPerPart, from);
        yield [`of=${kind}`, from && `from=${from}`, to && `to=${to}`].filter(Boolean).join('&amp;');
        from = to;
      } while (from !== undefined);
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
