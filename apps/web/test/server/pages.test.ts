import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { waitMs } from '@rtr/dev-stack/timeouts';
import { createHttpServer } from '@rtr/http-server';
import { normalizePictureUrl } from '@rtr/shared';
import { JSDOM } from 'jsdom';
import type { RouteObject } from 'react-router-dom';
import { afterAll, afterEach, beforeEach, describe, expect, type MockInstance, test, vi } from 'vitest';
import { createMetrics } from '../../server/metrics.ts';
import { createWebServer } from '../../server/web-server.ts';
import { createRenderer, isPersonal } from '../../src/entry-server.tsx';
import { posts } from '../../src/features/blog/posts.tsx';
import { routes } from '../../src/router.tsx';
import { startRealApi } from './real-api.ts';

// These tests read the HTML from the web server, as a browser without JavaScript shows it. The web server uses a real API.

const site = 'https://kitchen.example';
const api = await startRealApi();
const customer = await api.signUp();
// Another customer writes the reviews, because the stars of the lister would not count.
const reviewer = await api.signUp();
const errors: unknown[] = [];
const web = createHttpServer(
  createWebServer({
    api: api.origin,
    auth: { apiKey: 'demo', projectId: 'demo-rtr-cloud-kitchen', authDomain: 'demo.firebaseapp.com' },
    authEmulator: undefined,
    isPersonal,
    trustedProxies: ['loopback', 'linklocal', 'uniquelocal'],
    closing: new AbortController().signal,
    log: () => {},
    metrics: createMetrics(),
    assets: (_req, _res, next) => next(),
    renderPage: createRenderer({
      api: api.origin,
      origin: site,
      entry: '/assets/entry.js',
      assetsOf: () => ({ styles: [], app: '/assets/app.js', routeScripts: [] }),
      onError: (error) => errors.push(error),
    }),
  }),
).listen(0, '127.0.0.1');
await once(web, 'listening');
const origin = `http://127.0.0.1:${(web.address() as AddressInfo).port}`;
afterAll(() => {
  web.closeAllConnections();
  web.close();
});

let consoleError: MockInstance<typeof console.error>;
beforeEach(() => {
  consoleError = vi.spyOn(console, 'error');
});
afterEach(() => {
  expect(consoleError.mock.calls).toEqual([]);
  expect(errors.splice(0)).toEqual([]);
});

async function get(path: string, status = 200, headers: Record<string, string> = {}) {
  const response = await fetch(origin + path, { headers });
  const html = await response.text();
  expect(response.status, path).toBe(status);
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  const { document } = new JSDOM(html, { url: site + path }).window;
  expect(document.querySelector('#page-payload')).not.toBeNull();
  return { html, document, main: document.querySelector('main')?.textContent ?? '' };
}

/** Returns the metadata of the page, and checks that the title and each meta tag occur only once. */
async function headOf(path: string, status = 200) {
  const { html, document } = await get(path, status);
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  expect(all('head title')).toHaveLength(1);
  expect(all('title')).toHaveLength(all('head title').length + all('svg title').length);
  const metas = all('meta[property], meta[name=description], meta[name=robots], meta[name^=twitter]');
  const meta = Object.fromEntries(
    metas.map((tag) => [tag.getAttribute('property') ?? tag.getAttribute('name'), tag.getAttribute('content')]),
  );
  expect(Object.keys(meta)).toHaveLength(metas.length);
  return {
    html,
    title: document.title,
    canonical: all('link[rel=canonical]').map((link) => link.getAttribute('href')),
    meta,
    data: all('script[type="application/ld+json"]').map(
      ({ textContent }) => JSON.parse(textContent) as Record<string, unknown>,
    ),
    preloads: all('link[rel=preload][as=image][fetchpriority=high]').map((link) => link.getAttribute('href')),
    isListed: meta.robots !== 'noindex',
  };
}

/** Waits until the API has computed the star rating of a service from its reviews. */
const summarized = (id: string) =>
  vi.waitFor(async () => expect((await headOf(`/services/${id}`)).data[0]).toHaveProperty('aggregateRating'), waitMs);

describe('the HTML of the page of a service', () => {
  test('contains the text of the service and of its reviews, and has metadata tags and structured data about the service and its rating', async () => {
    const id = await api.addService(customer, {
      title: 'Hood repair',
      price: 'from $120',
      ratting: '5.0 of 5',
      img: 'https://pictures.example/hood.jpg',
      description: `We mend hoods.\n\n${'Grease and air. '.repeat(30)}`,
      phone: '+1 555 0100',
      website: 'https://hoods.example/',
      area: 'Brooklyn',
    });
    await api.addReview(reviewer, { serviceId: id, rating: 3, review: 'The rattle is gone.' });
    await summarized(id);

    const { main, document } = await get(`/services/${id}`);
    for (const text of ['Hood repair', 'from $120', 'We mend hoods.', 'Total Review: 1', 'The rattle is gone.'])
      expect(main).toContain(text);
    expect(document.querySelector('main h1')?.textContent).toBe('Hood repair');
    expect(main).toContain('Listed by ');
    expect(main).toContain('Area: Brooklyn');
    expect(document.querySelector('a[href="tel:+15550100"]')?.textContent).toBe('Call +1 555 0100');
    expect(document.querySelector('a[href="https://hoods.example/"]')?.getAttribute('rel')).toBe(
      'nofollow noopener ugc',
    );

    const { title, canonical, meta, data, preloads, isListed } = await headOf(`/services/${id}`);
    const url = `${site}/services/${id}`;
    expect([title, canonical, isListed]).toEqual(['Hood repair RTR Cloud Kitchen', [url], true]);
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
        areaServed: 'Brooklyn',
        provider: {
          '@type': 'Person',
          '@id': expect.stringMatching(`^${site}/listers/[0-9a-f]{24}$`) as string,
          name: 'Customer',
          telephone: '+1 555 0100',
          url: 'https://hoods.example/',
        },
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

  test('has no rating in its structured data when no review has stars, even if the customer who added the service entered a rating', async () => {
    const { title, meta, data } = await headOf(`/services/${await api.addService(customer, { ratting: '4.97 of 5' })}`);
    expect(title).toBe('Untitled service RTR Cloud Kitchen');
    expect(meta.description).toBe('See the price and customer reviews of this kitchen service.');
    expect(data[0]).not.toHaveProperty('aggregateRating');
    expect(JSON.stringify(data)).not.toContain('4.97');
  });

  test('links to the page of the lister, whose HTML contains their services, reviews and structured data', async () => {
    const lister = await api.signUp();
    const id = await api.addService(lister, { title: 'Hood of a lister' });
    await api.addReview(reviewer, { serviceId: id, rating: 4, review: 'They came at night.' });
    const { document } = await get(`/services/${id}`);
    const path = document.querySelector('a[href^="/listers/"]')?.getAttribute('href') ?? '';
    const { main } = await get(path);
    for (const text of ['Customer', 'Hood of a lister', 'They came at night.']) expect(main).toContain(text);
    const { title, canonical, data, isListed } = await headOf(path);
    expect([title, canonical, isListed]).toEqual(['Customer RTR Cloud Kitchen', [site + path], true]);
    expect(data).toMatchObject([
      {
        '@type': 'ProfilePage',
        url: site + path,
        mainEntity: { '@type': 'Person', '@id': site + path, name: 'Customer' },
        mentions: { itemListElement: [{ name: 'Hood of a lister', url: `${site}/services/${id}` }] },
      },
    ]);
  });

  test('has the status 404 for a lister who does not exist', async () => {
    const { isListed } = await headOf(`/listers/${'0'.repeat(24)}`, 404);
    expect(isListed).toBe(false);
  });

  test.for([
    ['no picture', ''],
    ['an SVG picture', 'https://pictures.example/hood.svg'],
    ['an SVG picture with a query string in its address', 'https://pictures.example/hood.SVG?v=1'],
  ] as const)('uses the default picture of the site in link previews when the service has %s', async ([, img]) => {
    const { meta, data, preloads } = await headOf(`/services/${await api.addService(customer, { img })}`);
    expect(meta).toMatchObject({
      'og:image': `${site}/pictures/preview.png`,
      'og:image:width': '1200',
      'og:image:height': '630',
    });
    expect(data[0]?.image).toBe(img || undefined);
    expect(preloads).toEqual([img || '/pictures/placeholder.svg']);
  });

  test.for([
    '</title></script><script>alert(1)</script><!--',
    '" onload="alert(1)" x="',
    "$& $1 $` $' $$",
    '&lt;b&gt; &amp;',
    '\u2028 \\u003c',
  ])(
    'escapes the title, description and picture address of the service in text, tags and structured data: %s',
    async (typed) => {
      const img = `https://pictures.example/${typed}`;
      const id = await api.addService(customer, { title: typed, description: typed, img });
      // The API stores the normalized URL.
      const stored = normalizePictureUrl(img);
      const plain = await headOf(
        `/services/${await api.addService(customer, { img: 'https://pictures.example/a.jpg', title: 'a' })}`,
      );
      const { html, title, meta, data, preloads } = await headOf(`/services/${id}`);
      expect(preloads).toEqual([stored]);
      expect(title).toBe(`${typed.trim()} RTR Cloud Kitchen`.replaceAll(/[ \t\n\f\r]+/g, ' '));
      expect(Object.keys(meta)).toEqual(Object.keys(plain.meta));
      expect(meta['og:title']).toBe(typed.trim());
      expect(meta['og:image']).toBe(stored);
      expect(data).toMatchObject([{ name: typed.trim() }]);
      expect([...html.matchAll(/<script\b/g)]).toHaveLength([...plain.html.matchAll(/<script\b/g)].length);
      expect(html.match(/<\/html>/g)).toHaveLength(1);
    },
  );

  test('has the same canonical URL when the requested address has capital letters, a final slash or search parameters', async () => {
    const id = await api.addService(customer, { title: 'Hood' });
    for (const path of [`/Services/${id.toUpperCase()}`, `/services/${id}/`, `/services/${id}?from=mail`])
      expect((await headOf(path)).canonical).toEqual([`${site}/services/${id}`]);
  });

  test('splits the reviews into pages that link to each other, and shows each review exactly once', async () => {
    const id = await api.addService(customer, { title: 'Hood' });
    const words = Array.from({ length: 25 }, (_, index) => `review number ${index}.`);
    for (const review of words) await api.addReview(reviewer, { serviceId: id, review });
    const { texts, last } = await followNextLinks(`/services/${id}?sort=newest`);
    expect(texts).toHaveLength(2);
    for (const word of words) expect(texts.filter((text) => text.includes(word))).toHaveLength(1);
    const back = [...last.querySelectorAll('a')].find(({ textContent }) => textContent === 'Back to the first page');
    expect(back?.getAttribute('href')).toBe(`/services/${id}#reviews`);
  });

  test('has links that filter the reviews by stars, and a form that sorts them', async () => {
    const id = await api.addService(customer, { title: 'Hood' });
    await api.addReview(reviewer, { serviceId: id, rating: 2, review: 'Two stars only.' });
    await api.addReview(reviewer, { serviceId: id, rating: 4, review: 'Four stars at least.' });
    await summarized(id);
    const { document } = await get(`/services/${id}`);
    expect(document.querySelector(`a[href="/services/${id}?rating=2"]`)).not.toBeNull();
    const { main, document: narrowed } = await get(`/services/${id}?rating=2`);
    expect(main).toContain('Two stars only.');
    expect(main).not.toContain('Four stars at least.');
    const form = narrowed.querySelector<HTMLSelectElement>('main select[name=sort]')?.form;
    expect(form?.getAttribute('action')).toBe(`/services/${id}`);
    expect(sent(form)).toBe('sort=newest&rating=2');
  });
});

/** Returns the query string that a form sends. */
function sent(form: HTMLFormElement | null | undefined): string {
  if (!form) throw new Error('There is no such form.');
  expect([form.method, form.querySelector('button[type=submit]')]).toEqual(['get', expect.anything()]);
  const fields = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[name]')];
  return fields.map(({ name, value }) => `${name}=${value}`).join('&');
}

/** Follows the links to the next page (`rel="next"`). Returns the text of each page, and the document of the last page. */
async function followNextLinks(path: string) {
  const texts: string[] = [];
  for (let next: string | null | undefined = path; ; ) {
    const { main, document } = await get(next);
    texts.push(main);
    next = document.querySelector('a[rel=next]')?.getAttribute('href');
    if (!next) return { texts, last: document };
  }
}

describe('the HTML of the list of services', () => {
  test('splits the list into pages that link to each other with the same search and sort order, and shows each service exactly once', async () => {
    const titles = Array.from({ length: 65 }, (_, index) => `Extractor fan ${index}.`);
    for (const title of titles) await api.addService(customer, { title });
    const { texts, last } = await followNextLinks('/services?q=fan&sort=title');
    expect(texts).toHaveLength(2);
    for (const title of titles) expect(texts.filter((text) => text.includes(title))).toHaveLength(1);
    expect(texts[0]).toContain('65 services for “fan”');
    const back = [...last.querySelectorAll('a')].find(({ textContent }) => textContent === 'Back to the first page');
    expect(back?.getAttribute('href')).toBe('/services?q=fan&sort=title');
  });

  test('has structured data about the newest services and preloads only the first picture, but for a search, it has no such data and has the canonical URL of the complete list', async () => {
    await api.addService(customer, { title: ' ' });
    const img = 'https://pictures.example/newest.jpg';
    const newest = await api.addService(customer, { title: 'Newest of all', img });
    const { title, canonical, data, preloads } = await headOf('/services');
    expect(preloads).toEqual([img]);
    expect([title, canonical]).toEqual(['Services RTR Cloud Kitchen', [`${site}/services`]]);
    const { mainEntity } = data[0] as { mainEntity: { itemListElement: object[] } };
    expect(mainEntity.itemListElement).toHaveLength(20);
    expect(mainEntity.itemListElement.slice(0, 2)).toMatchObject([
      { position: 1, url: `${site}/services/${newest}`, name: 'Newest of all' },
      { position: 2, name: 'Untitled service' },
    ]);
    const search = await headOf('/services?q=newest&sort=price');
    expect([search.title, search.canonical]).toEqual([title, canonical]);
    expect(search.data[0]).not.toHaveProperty('mainEntity');
  });

  test('has forms that search and sort the services, and links to predefined searches, such as “Hood repair”', async () => {
    const { document } = await get('/services?q=hood%20repair&sort=price');
    const [header, inPage] = [...document.querySelectorAll<HTMLFormElement>('form[role=search]')];
    expect(header?.getAttribute('action')).toBe('/services');
    expect(sent(header)).toBe('q=hood repair');
    expect(sent(inPage)).toBe('q=hood repair&sort=price');
    expect(sent(document.querySelector<HTMLSelectElement>('main select[name=sort]')?.form)).toBe(
      'sort=price&q=hood repair',
    );
    const chip = document.querySelector('nav a[aria-current=true]');
    expect([chip?.textContent, chip?.getAttribute('href')]).toEqual([
      'Hood repair',
      '/services?q=hood+repair&sort=price',
    ]);
  });

  test('for the saved services (/services?saved), has a noindex tag and says that the page needs JavaScript', async () => {
    const { title, canonical, isListed } = await headOf('/services?saved');
    expect([title, canonical, isListed]).toEqual(['Saved and viewed services RTR Cloud Kitchen', [], false]);
    expect((await get('/services?saved')).document.querySelector('main noscript')?.textContent).toContain(
      'needs JavaScript',
    );
  });
});

test('the HTML of the home page contains the slides and the newest services, and describes the site search in structured data', async () => {
  const id = await api.addService(customer, { title: 'On the front page' });
  const { main, document } = await get('/');
  expect(main).toContain('A hood that clears the air');
  expect(document.querySelector(`main a[href="/services/${id}"]`)?.textContent).toBe('On the front page');
  expect(document.querySelector('[inert]')).toBeNull();
  const { title, canonical, meta, data, preloads } = await headOf('/');
  expect([title, canonical]).toEqual(['Home RTR Cloud Kitchen', [`${site}/`]]);
  expect(preloads).toEqual(['/pictures/hero-install.svg']);
  expect(meta['og:title']).toBe('RTR Cloud Kitchen');
  expect(data).toMatchObject([
    {
      '@type': 'WebSite',
      url: `${site}/`,
      potentialAction: { target: { urlTemplate: `${site}/services?q={search_term_string}` } },
    },
  ]);
});

test.for([
  ['/blogs', 'Blogs', 'Answers to common questions about web development'],
  ['/about', 'About', 'Find services for your kitchen'],
  ['/how-reviews-work', 'How reviews work', 'Stars and text'],
  ['/privacy', 'Privacy', 'Logs and measurements'],
  ['/terms', 'Terms', 'What we promise'],
] as const)(
  'the HTML of the page %s contains the text, a title for this page and no noindex tag',
  async ([path, name, text]) => {
    expect((await get(path)).main).toContain(text);
    const { title, canonical, meta, isListed } = await headOf(path);
    expect([title, canonical, isListed]).toEqual([`${name} RTR Cloud Kitchen`, [`${site}${path}`], true]);
    expect(meta.description?.length).toBeGreaterThan(50);
    expect(meta['og:title']).toBe(name);
  },
);

test('the HTML of the page Blogs contains each answer in full, and the answers can be opened without JavaScript', async () => {
  const { document } = await get('/blogs');
  const answers = [...document.querySelectorAll('main details')];
  expect(answers).toHaveLength(posts.length);
  for (const answer of answers) expect(answer.textContent.length).toBeGreaterThan(500);
});

test.for([
  ['/login', 'Login RTR Cloud Kitchen'],
  ['/signup', 'Sign Up RTR Cloud Kitchen'],
  ['/addservices', 'Add Service RTR Cloud Kitchen'],
  ['/myReview', 'My Review RTR Cloud Kitchen'],
  ['/review/6712af6712af6712af6712af', 'Review RTR Cloud Kitchen'],
  ['/editreview/6712af6712af6712af6712af', 'Edit Review RTR Cloud Kitchen'],
  ['/account', 'Account RTR Cloud Kitchen'],
  ['/myservices', 'My services RTR Cloud Kitchen'],
  // For visitors, the page Moderation looks like an unknown address. So its HTML does not contain its name.
  ['/moderation', 'RTR Cloud Kitchen'],
  ['/editservice/6712af6712af6712af6712af', 'Edit service RTR Cloud Kitchen'],
  ['/reply/6712af6712af6712af6712af', 'Reply RTR Cloud Kitchen'],
  ['/ask/6712af6712af6712af6712af', 'Ask for a price RTR Cloud Kitchen'],
  ['/requests', 'Requests RTR Cloud Kitchen'],
  ['/requests/6712af6712af6712af6712af', 'Request RTR Cloud Kitchen'],
  ['/news', 'News RTR Cloud Kitchen'],
] as const)(
  'the HTML of the page %s has the title “%s” and a noindex tag, and says that the page needs JavaScript',
  async ([path, name]) => {
    const { title, canonical, isListed } = await headOf(path);
    expect([title, canonical, isListed]).toEqual([name, [], false]);
    expect((await get(path)).document.querySelector('main noscript')?.textContent).toContain('needs JavaScript');
  },
);

test.for(['/', '/login', '/signup'])(
  'the HTML of the page %s contains the loading state if the session cookie is set, and says that the page needs JavaScript',
  async (path) => {
    const { document: visitorPage } = await get(path);
    expect(visitorPage.querySelector('main progress')).toBeNull();
    const { document } = await get(path, 200, { Cookie: 'rtr-session=1' });
    expect(document.querySelector('main progress')).not.toBeNull();
    expect(document.querySelector('main noscript')?.textContent).toContain('needs JavaScript');
  },
);

test.for([
  ['/services/000000000000000000000000', 'This service is not listed'],
  ['/services/1', 'This service is not listed'],
  ['/nowhere', 'This page isn’t on the menu'],
  ['/services/a/b', 'This page isn’t on the menu'],
] as const)(
  'the web server responds to %s with the status 404 and a page that explains the error',
  async ([path, text]) => {
    const { title, canonical, data, isListed } = await headOf(path, 404);
    expect([title, canonical, data, isListed]).toEqual(['Not Found RTR Cloud Kitchen', [], [], false]);
    expect((await get(path, 404)).main).toContain(text);
  },
);

test('the HTML of a page does not contain the port of the request, because its URLs use the configured origin of the site', async () => {
  const { port } = new URL(origin);
  const { html } = await get('/');
  expect(html).not.toContain(`:${port}`);
});

test('apart from the pages of services and listers, the sitemap contains exactly the pages without a noindex tag', async () => {
  const pathsOf = (all: RouteObject[]): string[] =>
    all.flatMap(({ index, path, children }) => (children ? pathsOf(children) : index ? '/' : `/${path}`));
  const paths = pathsOf(routes).filter((path) => !path.includes(':') && path !== '/*');
  const canonical = (await Promise.all(paths.map((path) => headOf(path)))).flatMap((head) => head.canonical);
  const sitemap = await (await fetch(`${origin}/sitemap.xml`)).text();
  const named = [...sitemap.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, location]) => location);
  expect(new Set(named.filter((location) => !/\/(services|listers)\//.test(location ?? '')))).toEqual(
    new Set(canonical),
  );
});
