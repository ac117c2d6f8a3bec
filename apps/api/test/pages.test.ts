import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceInput } from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { afterAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { collectionsOf } from '../src/database.ts';
import { serviceStore } from '../src/services/services.store.ts';
import { cuttableMongodb } from './support/cuttable.ts';
import { testApp } from './support/test-app.ts';

const shell = (script: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <!-- page -->
    <title>RTR Cloud Kitchen</title>
    <!-- /page -->
    <script type="module" src="/assets/${script}.js"></script>
  </head>
  <body><div id="root"></div></body>
</html>
`;
const folder = await mkdtemp(join(tmpdir(), 'pages-'));
const file = join(folder, 'index.html');
await writeFile(file, shell('first'));
afterAll(() => rm(folder, { recursive: true }));

const mongodb = await cuttableMongodb(inject('mongodbUri'));
const env = { WEB_INDEX: file, WEB_ORIGINS: 'https://kitchen.example,https://other.example' };
const { api, db, signUp, takeLogged } = await testApp({ mongodbUri: mongodb.uri, env });
const { services } = collectionsOf(db);
const store = serviceStore(collectionsOf(db));
const blank: ServiceInput = { title: '', ratting: '', img: '', price: '', description: '' };

beforeEach(async () => {
  await services.deleteMany();
});

const add = async (input: Partial<ServiceInput>) => (await store.insert('somebody', { ...blank, ...input })).insertedId;

/** What a page says of itself, read as a browser would: entities decoded, JSON-LD parsed. */
async function headOf(path: string, status = 200) {
  const { text, headers } = await api.get(`/pages${path}`).expect(status);
  expect(headers['content-type']).toBe('text/html; charset=utf-8');
  expect(text).toContain('<script type="module" src="/assets/first.js"></script>');
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, ...groups]) => groups.map(decoded));
  const metas = all(/<meta (?:name|property)="([^"]*)" content="([^"]*)"/g);
  expect(new Set(metas.map(([key]) => key)).size).toBe(metas.length);
  const titles = all(/<title>([^<]*)<\/title>/g).flat();
  expect(titles).toHaveLength(1);
  const blocks = [...text.matchAll(/<script type="application\/ld\+json"[^>]*>([^]*?)<\/script>/g)];
  return {
    title: titles[0],
    canonical: all(/<link rel="canonical" href="([^"]*)"/g).flat(),
    meta: Object.fromEntries(metas) as Record<string, string>,
    data: blocks.map(([, json = '']) => JSON.parse(json) as Record<string, unknown>),
    preloads: all(/<link rel="preload" as="image" href="([^"]*)" [^>]*referrerpolicy="no-referrer"/g).flat(),
    noindex: headers['x-robots-tag'] === 'noindex',
  };
}

const decoded = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');

describe('a page', () => {
  test('of a service says what it is, where, and what customers think of it', async () => {
    const customer = await signUp();
    const bearer = { Authorization: `Bearer ${customer.jwt}` };
    const _id = await add({
      title: 'Hood repair',
      ratting: '5.0 of 5',
      img: 'https://pictures.example/hood.jpg',
      description: `We mend hoods.\n\n${'Grease and air. '.repeat(30)}`,
    });
    await api.post('/review').set(bearer).send({ serviceId: _id, rating: 3 }).expect(201);
    await expect.poll(async () => (await store.find(_id))?.ratingCount).toBe(1);

    const { title, canonical, meta, data, preloads, noindex } = await headOf(`/services/${_id}`);
    const url = `https://kitchen.example/services/${_id}`;
    expect([title, canonical, noindex]).toEqual(['Hood repair RTR Cloud Kitchen', [url], false]);
    expect(preloads).toEqual(['https://pictures.example/hood.jpg']);
    expect(meta.description).toMatch(/^We mend hoods\. Grease and air\. .{120,170}(?:Grease|and|air\.)…$/);
    expect(meta).toMatchObject({
      'og:site_name': 'RTR Cloud Kitchen',
      'og:title': 'Hood repair',
      'og:description': meta.description,
      'og:url': url,
      'og:image': 'https://pictures.example/hood.jpg',
      'twitter:card': 'summary_large_image',
    });
    expect(data).toEqual([
      {
        '@context': 'https://schema.org',
        '@type': 'Service',
        name: 'Hood repair',
        description: meta.description,
        url,
        image: 'https://pictures.example/hood.jpg',
        aggregateRating: {
          '@type': 'AggregateRating',
          ratingValue: 3,
          ratingCount: 1,
          bestRating: 5,
          worstRating: 1,
        },
      },
    ]);
  });

  test('of a service without stars has none, whatever its lister claims', async () => {
    const { title, meta, data } = await headOf(`/services/${await add({ ratting: '4.97 of 5' })}`);
    expect(title).toBe('Untitled service RTR Cloud Kitchen');
    expect(meta.description).toBe('What this kitchen service costs, and what customers say of it.');
    expect(data[0]).not.toHaveProperty('aggregateRating');
    expect(JSON.stringify(data)).not.toContain('4.97');
  });

  test.for(['', 'https://pictures.example/hood.svg', 'https://pictures.example/hood.SVG?v=1'])(
    'of a service is previewed with our picture where its own cannot be shown: %s',
    async (img) => {
      const { meta, data, preloads } = await headOf(`/services/${await add({ img })}`);
      expect(meta).toMatchObject({
        'og:image': 'https://kitchen.example/pictures/preview.png',
        'og:image:width': '1200',
        'og:image:height': '630',
      });
      expect(data[0]?.image).toBe(img || undefined);
      expect(preloads).toEqual(img ? [img] : []);
    },
  );

  test.for([
    '</title></script><script>alert(1)</script><!--',
    '" onload="alert(1)" x="',
    "$& $1 $` $' $$",
    '&lt;b&gt; &amp;',
    '\u2028 \u0000 \\u003c',
  ])('stays itself whatever a lister types: %s', async (typed) => {
    const _id = await add({ title: typed, description: typed, img: `https://pictures.example/${typed}` });
    const plain = (await headOf(`/services/${await add({ img: 'https://pictures.example/a.jpg' })}`)).meta;
    const { title, meta, data, preloads } = await headOf(`/services/${_id}`);
    expect(preloads).toEqual([`https://pictures.example/${typed}`]);
    expect(title).toBe(`${typed.trim()} RTR Cloud Kitchen`);
    expect(Object.keys(meta)).toEqual(Object.keys(plain));
    expect(meta['og:title']).toBe(typed.trim());
    expect(meta['og:image']).toBe(`https://pictures.example/${typed}`);
    expect(data).toMatchObject([{ name: typed.trim() }]);
    const { text } = await api.get(`/pages/services/${_id}`);
    expect([...text.matchAll(/<script\b/g)]).toHaveLength(2);
    expect(text.match(/<\/html>/g)).toHaveLength(1);
  });

  test('of home names the site and how it is searched', async () => {
    const { title, canonical, meta, data } = await headOf('/');
    expect([title, canonical]).toEqual(['Home RTR Cloud Kitchen', ['https://kitchen.example/']]);
    expect(meta['og:title']).toBe('RTR Cloud Kitchen');
    expect(data).toMatchObject([
      {
        '@type': 'WebSite',
        url: 'https://kitchen.example/',
        potentialAction: { target: { urlTemplate: 'https://kitchen.example/services?q={search_term_string}' } },
      },
    ]);
  });

  test('of the services lists the newest; one of a search points to it, and lists none', async () => {
    const [first, second] = [await add({ title: 'First' }), await add({ title: ' ' })];
    await services.updateOne({ _id: new ObjectId(first) }, { $set: { createdAt: new Date(0) } });
    const { canonical, data } = await headOf('/services');
    expect(canonical).toEqual(['https://kitchen.example/services']);
    expect(data).toMatchObject([
      {
        mainEntity: {
          itemListElement: [
            { position: 1, url: `https://kitchen.example/services/${second}`, name: 'Untitled service' },
            { position: 2, url: `https://kitchen.example/services/${first}`, name: 'First' },
          ],
        },
      },
    ]);
    const search = await headOf('/services?q=first&sort=price');
    expect([search.canonical, search.title]).toEqual([canonical, 'Services RTR Cloud Kitchen']);
    expect(search.data[0]).not.toHaveProperty('mainEntity');
  });

  test.for([
    ['/blogs', 'Blogs'],
    ['/about', 'About'],
    ['/how-reviews-work', 'How reviews work'],
    ['/privacy', 'Privacy'],
    ['/terms', 'Terms'],
  ] as const)('of text is listed: %s', async ([path, name]) => {
    const { title, canonical, meta, noindex } = await headOf(path);
    expect([title, canonical, noindex]).toEqual([
      `${name} RTR Cloud Kitchen`,
      [`https://kitchen.example${path}`],
      false,
    ]);
    expect(meta.description?.length).toBeGreaterThan(50);
    expect(meta['og:title']).toBe(name);
  });

  test.for([
    ['/login', 'Login'],
    ['/signup', 'Sign Up'],
    ['/addservices', 'Add Service'],
    ['/myReview', 'My Review'],
    ['/review/6712af6712af6712af6712af', 'Review'],
    ['/editreview/6712af6712af6712af6712af', 'Edit Review'],
    ['/account', 'Account'],
  ] as const)('of one visitor alone is listed by nobody: %s', async ([path, name]) => {
    const { title, canonical, noindex } = await headOf(path);
    expect([title, canonical, noindex]).toEqual([`${name} RTR Cloud Kitchen`, [], true]);
  });

  test('has one address, however it is written', async () => {
    const _id = await add({ title: 'Hood' });
    for (const path of [`/Services/${_id.toUpperCase()}`, `/services/${_id}/`, `/services/${_id}?from=mail`])
      expect((await headOf(path)).canonical).toEqual([`https://kitchen.example/services/${_id}`]);
    expect((await headOf('')).canonical).toEqual(['https://kitchen.example/']);
  });

  test.for(['/services/000000000000000000000000', '/services/1', '/nowhere', '/services/a/b', '/index.html'])(
    'that is not there is 404 with the app in it: %s',
    async (path) => {
      const { title, canonical, data, noindex } = await headOf(path, 404);
      expect([title, canonical, data, noindex]).toEqual(['Not Found RTR Cloud Kitchen', [], [], true]);
    },
  );

  test('never takes its address from the request', async () => {
    const { text } = await api.get('/pages/').set({ Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' });
    expect(text).not.toContain('evil');
  });

  test('is asked for again by its ETag, and can be asked for without its body', async () => {
    const path = `/pages/services/${await add({ title: 'Hood' })}`;
    const { headers, text } = await api.get(path).expect(200);
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', etag: expect.any(String) });
    await api
      .get(path)
      .set('If-None-Match', headers.etag ?? '')
      .expect(304);
    const head = await api.head(path).expect(200);
    expect([head.text, head.headers['content-length']]).toEqual([undefined, String(Buffer.byteLength(text))]);
    expect((await api.post(path).expect(405)).headers.allow).toBe('GET, HEAD');
  });

  test('runs nothing where the API is asked directly', async () => {
    const { headers } = await api.get('/pages/').expect(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  test('is given to no web server that has the files of another build, failures included', async () => {
    const build = createHash('sha256').update(shell('first')).digest('base64url');
    const text = async (path: string, build: string, status: number, type: RegExp) =>
      (await api.get(path).set('X-Web-Build', build).expect(status).expect('Content-Type', type)).text;
    expect(await text('/pages/', build, 200, /html/)).toContain('<title>Home');
    expect(await text('/pages/%', build, 400, /html/)).toContain('first.js');
    expect(await text('/pages/', 'other', 412, /problem/)).not.toContain('first.js');
    expect(await text('/pages/%', 'other', 400, /problem/)).not.toContain('first.js');
  });

  test('follows a new build at once', async () => {
    await api.get('/pages/').expect(200);
    await writeFile(file, shell('second-build'));
    expect((await api.get('/pages/').expect(200)).text).toContain('second-build');
    await writeFile(file, shell('first'));
  });
});

describe('when it cannot be made', () => {
  test.for([
    ['is gone', () => mongodb.cut()],
    ['is silent', async () => mongodb.silence()],
  ] as const)('because the database %s, the app comes, with a 503', async ([, lose]) => {
    const path = `/pages/services/${await add({})}`;
    await lose();
    const { text, headers } = await api.get(path).expect(503);
    expect(text).toBe(shell('first'));
    expect(headers).toMatchObject({ 'cache-control': 'no-store', 'retry-after': expect.stringMatching(/^\d+$/) });
    await api.get('/pages/').expect(200);
    await api.get('/pages/about').expect(200);
    expect(takeLogged()).toHaveLength(1);
    await mongodb.mend();
    await expect.poll(async () => (await api.get(path)).status).toBe(200);
    takeLogged();
  });

  test('because the database is silent, the app comes before the database is given up', async () => {
    const path = `/services/${await add({})}`;
    mongodb.silence();
    const timed = async (asked: string) => {
      const started = performance.now();
      await api.get(asked).expect(503);
      return performance.now() - started;
    };
    // The first one waits the longest, until it is known that there is no database.
    await timed(path);
    expect((await timed(path)) - (await timed(`/pages${path}`))).toBeGreaterThan(300);
    await mongodb.mend();
    await expect.poll(async () => (await api.get(path)).status).toBe(200);
    takeLogged();
  });

  test('because its address is malformed, the app comes too', async () => {
    const { text } = await api.get('/pages/%E0%A4%A').expect(400);
    expect(text).toBe(shell('first'));
  });

  test('because the build is not there, a problem says so', async () => {
    await rm(file);
    const { body } = await api
      .get('/pages/')
      .expect(503)
      .expect('Content-Type', /problem\+json/);
    expect(body.detail).toBe('The built web app is not where WEB_INDEX says.');
    expect(takeLogged()).not.toHaveLength(0);
    await writeFile(file, shell('first'));
  });
});

test('a service that an operator hid has no page of its own, and no place on another', async () => {
  const [hidden] = await Promise.all([add({ title: 'Hidden hood' }), add({ title: 'Shown hood' })]);
  await store.setHidden(hidden, true);
  const { text } = await api.get('/pages/services').expect(200);
  expect(text).toContain('Shown hood');
  expect(text).not.toContain('Hidden hood');
  expect((await api.get(`/pages/services/${hidden}`).expect(404)).text).not.toContain('Hidden hood');
});
