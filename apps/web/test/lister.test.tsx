import { screen, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { api, problem } from './support/api.ts';
import { open, saying } from './support/app.tsx';
import { aLister, aReview, aService, serve } from './support/catalogue.ts';

const services = [aService({ title: 'Hood repair' }), aService({ title: 'Duct cleaning' })];
const [hood = aService()] = services;
const at = '2026-11-04T10:00:00.000Z';
const reply = { text: 'Come back any time.', name: 'Mina Duct', createdAt: at, updatedAt: at };

test('the page of a lister shows their name, stars and replies, their services, and their newest reviews with links to the services', async () => {
  const lister = aLister({ averageRating: 4.5, ratingCount: 12, replyShare: 0.8 });
  const review = aReview(hood, { reply });
  serve(services, [review]);
  api.use(http.get('/api/listers/:id', () => HttpResponse.json(lister)));
  await open(`/listers/${lister._id}`);
  await screen.findByRole('heading', { level: 1, name: 'Mina Duct' });
  const main = within(screen.getByRole('main'));
  main.getByText('4.5 out of 5 stars, 12 ratings');
  main.getByText(saying('Lists services here since 4 March 2026 · Replies to 80% of reviews'));
  expect(main.getAllByRole('article').length).toBeGreaterThanOrEqual(2);
  expect(main.getByRole('link', { name: 'Duct cleaning' }).getAttribute('href')).toBe(`/services/${services[1]?._id}`);
  const [, ofReview] = main.getAllByRole('link', { name: 'Hood repair' });
  expect(ofReview?.getAttribute('href')).toBe(`/services/${hood._id}#review-${review._id}`);
  main.getByText('The rattle is gone.');
  main.getByText('Come back any time.');
});

test('the page of a lister without reviews says so', async () => {
  serve(services);
  await open(`/listers/${aLister()._id}`);
  await screen.findByText('No reviews yet.');
  expect(screen.queryByText(/Replies|replied/)).toBeNull();
});

test('the page of a lister who has closed their account says that this lister has no services', async () => {
  api.use(
    http.get('/api/listers/:id', () => problem(404, 'No lister has this id.')),
    http.get('/api/listers/:id/:list', () => problem(404, 'No lister has this id.')),
  );
  await open(`/listers/${aLister()._id}`);
  await screen.findByRole('heading', { level: 1, name: 'This lister has no services here' });
});

test('the page of a lister shows an error in the section of a list that did not load, and loads it again', async () => {
  serve(services);
  let isDown = true;
  api.use(
    http.get('/api/listers/:id/reviews', () =>
      isDown ? problem(500, 'The server failed.') : HttpResponse.json([aReview(hood)]),
    ),
  );
  const { user } = await open(`/listers/${aLister()._id}`);
  const section = within(await screen.findByRole('region', { name: 'Newest reviews' }));
  await section.findByRole('heading', { name: 'The reviews did not load' });
  within(screen.getByRole('region', { name: 'Services' })).getByRole('link', { name: 'Duct cleaning' });
  isDown = false;
  await user.click(section.getByRole('button', { name: 'Try again' }));
  await section.findByText('The rattle is gone.');
});
