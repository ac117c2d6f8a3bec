import { act, waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { api, signedIn } from './support/api.ts';
import { open } from './support/app.tsx';
import { aReview, aService, serve } from './support/catalogue.ts';
import { aConversation } from './support/conversations.ts';

test.for([
  ['/', 'Home'],
  ['/login', 'Login'],
  ['/signup', 'Sign Up'],
  ['/services', 'Services'],
  ['/services/:id', 'Untitled service'],
  ['/listers/:id', 'Mina Duct'],
  ['/addservices', 'Add Service', 'customer'],
  ['/myreview', 'My Review', 'customer'],
  ['/review/:id', 'Review', 'customer'],
  ['/editreview/:id', 'Edit Review', 'customer'],
  ['/account', 'Account', 'customer'],
  ['/myservices', 'My services', 'customer'],
  ['/moderation', 'Moderation', 'customer'],
  ['/editservice/:id', 'Edit service', 'customer'],
  ['/reply/:id', 'Reply', 'customer'],
  ['/ask/:id', 'Ask for a price', 'customer'],
  ['/requests', 'Requests', 'customer'],
  ['/requests/:id', 'Request', 'customer'],
  ['/news', 'News', 'customer'],
  ['/blogs', 'Blogs'],
  ['/about', 'About'],
  ['/how-reviews-work', 'How reviews work'],
  ['/privacy', 'Privacy'],
  ['/terms', 'Terms'],
  ['/nowhere', 'Not Found'],
] as const)('the document title of the page %s is “%s RTR Cloud Kitchen”', async ([path, name, access]) => {
  const service = aService({ title: ' ' });
  serve([service]);
  if (access) {
    const { email } = await signedIn();
    api.use(
      http.get('/api/review', () => HttpResponse.json([])),
      http.get('/api/account/services', () => HttpResponse.json([service])),
      http.get('/api/moderation', () => HttpResponse.json([])),
      http.get('/api/review/:id', () => HttpResponse.json({ ...aReview(service), email })),
      http.get('/api/requests/:id', () => HttpResponse.json(aConversation())),
    );
  }
  await open(path.replace(':id', service._id));
  await waitFor(() => expect(document.title).toBe(`${name} RTR Cloud Kitchen`));
});

test('after each navigation, the document head contains only the metadata of the new page, and no tag twice', async () => {
  const service = aService({ title: 'Hood repair', averageRating: 4.5, ratingCount: 2 });
  serve([service]);
  const { router } = await open('/');
  const all = (selector: string) => [...document.querySelectorAll(selector)];
  const head = () => ({
    titles: all('title').map(({ textContent }) => textContent),
    canonical: all('link[rel=canonical]').map((link) => link.getAttribute('href')),
    previews: all('meta[property="og:url"]').map((meta) => meta.getAttribute('content')),
    data: all('script[type="application/ld+json"]').map(
      ({ textContent }) => (JSON.parse(textContent) as Record<string, string>)['@type'],
    ),
    robots: all('meta[name=robots]').map((meta) => meta.getAttribute('content')),
  });
  const listed = (name: string, path: string, ...data: string[]) => {
    const url = `${location.origin}${path}`;
    return { titles: [`${name} RTR Cloud Kitchen`], canonical: [url], previews: [url], data, robots: [] };
  };
  const hidden = (name: string) => ({
    titles: [`${name} RTR Cloud Kitchen`],
    canonical: [],
    previews: [],
    data: [],
    robots: ['noindex'],
  });
  const path = `/services/${service._id}`;
  for (const [to, expected] of [
    ['/', listed('Home', '/', 'WebSite')],
    [path, listed('Hood repair', path, 'Service')],
    ['/login', hidden('Login')],
    ['/services?q=hood', listed('Services', '/services', 'CollectionPage')],
    ['/nowhere', hidden('Not Found')],
    ['/about', listed('About', '/about')],
  ] as const) {
    await act(() => router.navigate(to));
    await waitFor(() => expect(head(), to).toEqual(expected));
  }
});
