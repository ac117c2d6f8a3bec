import { type WebPath, webPages } from '@rtr/shared';
import { waitFor } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import type { RouteObject } from 'react-router-dom';
import { expect, test } from 'vitest';
import { routes } from '../src/router.tsx';
import { api, signedIn } from './support/api.ts';
import { open } from './support/app.tsx';
import { aReview, aService, serve } from './support/catalogue.ts';

// What the API says of a page before the app starts, the app says too.

test('the pages that the API knows are the router’s', () => {
  const pathsOf = (all: RouteObject[]): string[] =>
    all.flatMap(({ index, path, children }) => (children ? pathsOf(children) : index ? '/' : `/${path}`));
  expect(pathsOf(routes).toSorted()).toEqual(['/*', ...Object.keys(webPages)].toSorted());
});

const customers = new Set<WebPath>(['/addservices', '/myreview', '/review/:id', '/editreview/:id', '/account']);

test.for(Object.keys(webPages) as WebPath[])('%s has the title that the API gives it', async (path) => {
  const service = aService({ title: ' ' });
  serve([service]);
  if (customers.has(path)) {
    const { email } = await signedIn();
    api.use(
      http.get('/api/review', () => HttpResponse.json([])),
      http.get('/api/review/:id', () => HttpResponse.json({ ...aReview(service), email })),
    );
  }
  document.title = '';
  await open(path.replace(':id', service._id));
  await waitFor(() => expect(document.title).toBe(`${webPages[path].name} RTR Cloud Kitchen`));
});
