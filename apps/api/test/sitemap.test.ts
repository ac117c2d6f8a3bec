import type { ServiceInput } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { getCollections } from '../src/database/collections.ts';
import { blankService, someLister } from './support/blank-service.ts';
import { createTestApp } from './support/test-app.ts';

const { api, db, stores } = await createTestApp({ env: { WEB_ORIGINS: 'https://kitchen.example' } });
const { services } = getCollections(db);
const { services: store } = stores;

beforeEach(async () => {
  await services.deleteMany();
});

const add = async (input: Partial<ServiceInput>) =>
  (await store.insert(someLister, { ...blankService, ...input })).insertedId;
const locations = (xml: string) => [...xml.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, location = '']) => location);

describe('robots.txt and sitemap.xml', () => {
  test('robots.txt allows all paths and names the sitemap', async () => {
    const { text, headers } = await api.get('/robots.txt').expect(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toBe('User-agent: *\nDisallow:\n\nSitemap: https://kitchen.example/sitemap.xml\n');
  });

  test('the sitemap contains every service, every lister with a listed service, and every public page once', async () => {
    const ids = [await add({}), await add({}), await add({})];
    const hidden = await store.insert({ ...someLister, uid: 'hidden' }, blankService);
    await services.updateOne({ _id: new ObjectId(hidden.insertedId) }, { $set: { hiddenAt: new Date() } });
    const pages = ['/', '/services', '/blogs', '/about', '/how-reviews-work', '/privacy', '/terms'];
    const { text, headers } = await api.get('/sitemap.xml').expect(200);
    expect(headers['content-type']).toMatch(/^application\/xml/);
    expect(text).toMatch(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n<urlset xmlns="[^"]+">\n[^]*<\/urlset>\n$/);
    const listerId = (await services.findOne())?.listerId?.toHexString() ?? '';
    const wanted = [...pages, ...ids.map((id) => `/services/${id}`), `/listers/${listerId}`];
    expect(locations(text).toSorted()).toEqual(wanted.map((path) => `https://kitchen.example${path}`).toSorted());
    await api.head('/sitemap.xml').expect(200);
  });

  test.for(['?from=1', '?to[$gt]=', '?of=reviews', '?page=2'])(
    'the sitemap returns 400 for the invalid query %s',
    async (query) => {
      await api.get(`/sitemap.xml${query}`).expect(400);
    },
  );

  test('the sitemap is split into parts when it is too large for one file, and the parts contain every service and every lister once', async () => {
    const many = db.collection('services');
    // The indexes are dropped, because inserting so many rows is faster without them.
    await many.dropIndexes();
    const rows = Array.from({ length: 24_501 }, () => ({ _id: new ObjectId() }));
    await many.insertMany(rows, { ordered: false, bypassDocumentValidation: true });
    const index = await api.get('/sitemap.xml').expect(200);
    expect(index.text).toMatch(/<sitemapindex xmlns="[^"]+">\n[^]*<\/sitemapindex>\n$/);

    const named: string[] = [];
    for (const location of locations(index.text)) {
      const { pathname, search, origin } = new URL(location.replaceAll('&amp;', '&'));
      expect(origin).toBe('https://kitchen.example');
      const inPart = locations((await api.get(pathname + search).expect(200)).text);
      expect(inPart.length).toBeLessThanOrEqual(50_000);
      named.push(...inPart);
    }
    expect(locations(index.text)).toHaveLength(3);
    expect(named.filter((location) => location.includes('/services/'))).toHaveLength(24_501);
    expect(new Set(named).size).toBe(named.length);
    expect(named).toContain('https://kitchen.example/about');
    await many.drop();
  });
});
