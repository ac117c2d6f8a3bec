import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { describe, expect, test, vi } from 'vitest';
import { api, bearerOf, customer, problem, signedIn, subjectOf } from './support/api.ts';
import { logIn, open, saying } from './support/app.tsx';
import { aReview, aService, serve } from './support/catalogue.ts';

const rows = async () => (await screen.findAllByRole('row')).slice(1);

describe('the page of a service', () => {
  test('shows the title, price, stars, the “Lister’s own rating” and the description, and uses the title in the document title', async () => {
    const service = aService({
      title: 'Hood repair',
      description: 'Filters.\nFans.',
      averageRating: 3,
      ratingCount: 1,
    });
    serve([service]);
    await open(`/services/${service._id}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'Hood repair' })).toBeTruthy();
    const main = within(screen.getByRole('main'));
    expect(main.getByText('from $120')).toBeTruthy();
    expect(main.getByText('3.0 out of 5 stars, 1 rating')).toBeTruthy();
    expect(main.getByText(saying('Lister’s own rating: 4.8 / 5'))).toBeTruthy();
    expect(main.getByText(/Filters\.\s+Fans\./)).toBeTruthy();
    await waitFor(() => expect(document.title).toBe('Hood repair RTR Cloud Kitchen'));
  });

  test('shows the lister with a link to their page, the area, and links to call the lister and to open the website', async () => {
    const listerId = 'abcdef'.repeat(4);
    const contact = { listerName: 'Mina Duct', listerId, area: 'Brooklyn', website: 'https://ducts.example/a' };
    const service = aService({ ...contact, phone: ' +1 (555) 010-0199 ' });
    serve([service]);
    await open(`/services/${service._id}`);
    const section = within((await screen.findByRole('heading', { name: 'Contact' })).parentElement as HTMLElement);
    section.getByText(saying('Listed by Mina Duct'));
    expect(section.getByRole('link', { name: 'Mina Duct' }).getAttribute('href')).toBe(`/listers/${listerId}`);
    section.getByText(saying('Area: Brooklyn'));
    expect(section.getByRole('link', { name: 'Call +1 (555) 010-0199' }).getAttribute('href')).toBe('tel:+15550100199');
    const website = section.getByRole('link', { name: 'Website ducts.example' });
    expect(website.getAttribute('href')).toBe('https://ducts.example/a');
    expect(website.getAttribute('rel')).toBe('nofollow noopener ugc');
  });

  test('shows the facts about the lister, and says that nobody has checked them', async () => {
    const service = aService({ hours: ' Mon to Fri ', insured: 'no' });
    serve([service]);
    await open(`/services/${service._id}`);
    const heading = await screen.findByRole('heading', { name: 'In the lister’s own words' });
    const section = within(heading.parentElement as HTMLElement);
    section.getByText('We have not checked these details.');
    const facts = section.getAllByRole('listitem').map(({ textContent }) => textContent);
    expect(facts).toEqual(['Opening hours: Mon to Fri', 'Insured: No']);
  });

  test.each([
    ['+49 (0)30 555 017', 'tel:+4930555017'],
    ['0049 ( 0 ) 30 555 017', 'tel:004930555017'],
    ['(0) 30 555 017', 'tel:030555017'],
  ])('calls %s with %s', async (phone, url) => {
    const service = aService({ phone });
    serve([service]);
    await open(`/services/${service._id}`);
    expect((await screen.findByRole('link', { name: `Call ${phone}` })).getAttribute('href')).toBe(url);
  });

  test('offers its lister to edit the service as the main action', async () => {
    const service = aService();
    serve([service]);
    await signedIn();
    const { distribution: _, ...own } = service;
    api.use(http.get('/api/account/services', () => HttpResponse.json([{ ...own, unansweredCount: 0 }])));
    await open(`/services/${service._id}`);
    const edit = await screen.findByRole('link', { name: 'Edit your service' });
    expect(edit.getAttribute('href')).toBe(`/editservice/${service._id}`);
    expect(edit.className).toContain('button-primary');
    for (const add of screen.getAllByRole('link', { name: 'Add Review' }))
      expect(add.className).toContain('button-quiet');
  });

  test('says that no phone number and no website is given, and shows no details in the lister’s own words if there are none', async () => {
    const service = aService({ phone: ' ', area: 'Brooklyn', licence: ' ' });
    serve([service]);
    await open(`/services/${service._id}`);
    await screen.findByText('No phone or website given');
    expect(screen.queryByRole('heading', { name: /own words/ })).toBeNull();
  });

  test('is shown only after its data is loaded, and the previous page stays visible until then', async () => {
    const service = aService({ title: 'Fan swap' });
    serve([service, aService()]);
    const response = Promise.withResolvers<void>();
    api.use(
      http.get('/api/services/:id', async () => {
        await response.promise;
        return HttpResponse.json(service);
      }),
    );
    const { user, address } = await open('/services');
    const [pressed, other] = await screen.findAllByRole('article');
    await user.click(screen.getByRole('link', { name: 'Fan swap' }));
    expect(await screen.findByText('Loading…')).toBeTruthy();
    // The clicked card shows that the page of its service is loading.
    expect(pressed).toMatchObject({ ariaBusy: 'true' });
    expect(other).toMatchObject({ ariaBusy: 'false' });
    expect(screen.getByRole('heading', { level: 1, name: 'Services' })).toBeTruthy();
    response.resolve();
    await waitFor(() => expect(address()).toBe(`/services/${service._id}`));
    expect(await screen.findByRole('heading', { level: 1, name: 'Fan swap' })).toBeTruthy();
  });

  test('shows the label “By the lister” only on a review by the lister, and shows its stars', async () => {
    const service = aService({ reviewCount: 2 });
    serve([service], [aReview(service, { byLister: true, review: 'We are the best.' }), aReview(service)]);
    await open(`/services/${service._id}`);
    await screen.findByText('We are the best.');
    const marked = screen.getAllByRole('row').filter((row) => within(row).queryByText('By the lister'));
    expect(marked).toHaveLength(1);
    within(marked[0] as HTMLElement).getByText('We are the best.');
    within(marked[0] as HTMLElement).getByText('5 out of 5 stars');
  });

  test.each([
    ['explains that the rating by the lister can differ from the stars in reviews', '4.8 / 5', 3.2, 1],
    ['explains nothing about ratings when the lister has entered no rating', ' ', 3.2, 0],
    ['explains nothing about ratings when no review has stars', '4.8 / 5', null, 0],
  ])('%s', async (_, listersRating, averageRating, count) => {
    const service = aService({ ratting: listersRating, averageRating, ratingCount: averageRating === null ? 0 : 4 });
    serve([service]);
    const { go } = await open(`/services/${service._id}`);
    await screen.findByRole('heading', { level: 1, name: 'Hood repair' });
    const explanation =
      'Stars come from reviews by customers. The lister’s own rating is in the lister’s own words, so the two can differ.';
    expect(screen.queryAllByText(explanation)).toHaveLength(count);
    for (const path of ['/services', '/']) {
      await go(path);
      await screen.findByRole('heading', { name: 'Hood repair' });
      expect(screen.queryAllByText(explanation)).toHaveLength(count);
    }
  });

  test('shows a text and a link to all services when the service does not exist', async () => {
    serve([]);
    await open(`/services/${'0'.repeat(24)}`);
    expect(await screen.findByRole('heading', { level: 1, name: 'This service is not listed' })).toBeTruthy();
    expect(screen.getByRole('link', { name: 'See all services' }).getAttribute('href')).toBe('/services');
    await waitFor(() => expect(document.title).toBe('Not Found RTR Cloud Kitchen'));
  });

  test('enlarges and rotates the picture in a dialog, announces each change, and returns the focus when the dialog closes', async () => {
    const service = aService();
    serve([service]);
    const { user } = await open(`/services/${service._id}`);
    const enlarge = await screen.findByRole('button', { name: 'Enlarge the picture of Hood repair' });
    await user.click(enlarge);
    const dialog = within(await screen.findByRole('dialog', { name: 'Hood repair' }));
    expect(dialog.getByRole('button', { name: 'Zoom in' })).toBeTruthy();
    // The first live region announces changes of the picture. The second one contains the toasts of the page.
    const spoken = dialog.getAllByRole('status')[0] as HTMLElement;
    await user.click(dialog.getByRole('button', { name: 'Rotate' }));
    expect(spoken.textContent).toBe('Rotated by 90 degrees');
    await user.keyboard('r');
    expect(spoken.textContent).toBe('Rotated by 180 degrees');
    await user.click(dialog.getByRole('button', { name: 'Reset' }));
    expect(spoken.textContent).toBe('Zoom and rotation reset');
    await user.click(dialog.getByRole('button', { name: 'Close' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(enlarge);
  });

  test('has no button that enlarges the picture when there is no picture', async () => {
    const service = aService({ img: '' });
    serve([service]);
    await open(`/services/${service._id}`);
    expect((await screen.findByRole('img', { name: 'No picture given' })).getAttribute('src')).toBe(
      '/pictures/placeholder.svg',
    );
    expect(screen.queryByRole('button', { name: /Enlarge/ })).toBeNull();
  });

  test('has a link that leads a visitor to the login, and stores the review form and the page of the service in the history state as the pages that follow', async () => {
    const service = aService({ reviewCount: 1 });
    serve([service], [aReview(service)]);
    const { user, address, router } = await open(`/services/${service._id}?sort=lowest#reviews`);
    const button = await screen.findByRole('link', { name: 'Login for Add Review' });
    expect(button.getAttribute('href')).toBe(`/review/${service._id}`);
    await user.click(button);
    await waitFor(() => expect(address()).toBe('/login'));
    expect(router.state.location.state).toMatchObject({
      from: {
        pathname: `/review/${service._id}`,
        state: { from: { pathname: `/services/${service._id}`, search: '?sort=lowest', hash: '#reviews' } },
      },
    });
  });
});

describe('the reviews of a service', () => {
  test.each([
    [5, 4, '1 review adds no stars to the rating.'],
    [5, 3, '2 reviews add no stars to the rating.'],
  ])('if there are %i reviews and only %i of them count in the stars, a text says so', async (...counts) => {
    const [reviewCount, ratingCount, said] = counts;
    const service = aService({ reviewCount, ratingCount, averageRating: 4.5 });
    serve([service]);
    await open(`/services/${service._id}`);
    await screen.findByText(said);
  });

  test('are shown in a table with reviewer, date, time and text', async () => {
    const service = aService({ reviewCount: 2 });
    const edited = aReview(service, {
      customer: 'Bo',
      review: 'First line.\nSecond <b>line</b>.',
      rating: 2,
      updatedAt: '2026-11-04T10:42:07.000Z',
    });
    serve([service], [aReview(service), edited]);
    await open(`/services/${service._id}`);
    expect(await screen.findByRole('heading', { name: 'Total Review: 2' })).toBeTruthy();
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Reviewer',
      'Date',
      'Time',
      'Review',
    ]);
    const [first, second] = await rows();
    const cells = within(first as HTMLElement).getAllByRole('cell');
    expect(cells[0]?.textContent).toBe('Amira Haddad');
    expect(cells[1]?.querySelector('time')?.outerHTML).toBe(
      '<time datetime="2026-11-03T10:42:07.000Z"><bdi>11/3/2026</bdi></time>',
    );
    expect(cells[2]?.textContent).toBe('10:42:07 AM');
    expect(within(cells[3] as HTMLElement).getByText('5 out of 5 stars')).toBeTruthy();
    expect(within(cells[3] as HTMLElement).getByText('The rattle is gone.')).toBeTruthy();
    expect(within(second as HTMLElement).getByText('edited')).toBeTruthy();
    expect(second?.textContent).toContain('First line.\nSecond <b>line</b>.');
    expect(second?.querySelector('b')).toBeNull();
  });

  test('are replaced by a picture and an invitation to write a review when there are none', async () => {
    const service = aService();
    serve([service]);
    await open(`/services/${service._id}`);
    expect(await screen.findByRole('heading', { name: 'Total Review: 0' })).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'No reviews yet' })).toBeTruthy();
    expect(document.querySelector('img[src="/pictures/no-review.svg"]')).toBeTruthy();
    expect(screen.queryByRole('table')).toBeNull();
  });

  test('are still replaced by the message “No reviews yet” if a refresh of the empty list fails', async () => {
    const service = aService();
    serve([service]);
    const { go, queries } = await open(`/services/${service._id}`);
    await screen.findByRole('heading', { name: 'No reviews yet' });
    await go('/blogs');
    const failing = vi.fn(() => problem(500, 'Something broke.'));
    api.use(http.get('/api/allreview', failing));
    // The reviews are stale after 30 s. The page then fetches them again when it opens.
    vi.setSystemTime(Date.now() + 60_000);
    await go(`/services/${service._id}`);
    await waitFor(() => expect(failing).toHaveBeenCalled());
    await waitFor(() => expect(queries.isFetching()).toBe(0));
    screen.getByRole('heading', { name: 'No reviews yet' });
  });

  test('are filtered by the links of the star distribution, and all shown again by the link Show all reviews', async () => {
    const service = aService({
      reviewCount: 3,
      ratingCount: 3,
      averageRating: 4,
      distribution: { 1: 0, 2: 1, 3: 0, 4: 0, 5: 2 },
    });
    serve([service], [aReview(service), aReview(service, { rating: 2, review: 'Late.' }), aReview(service)]);
    const { user, address } = await open(`/services/${service._id}`);
    const stars = within(await screen.findByRole('list', { name: 'Star ratings from customers' }));
    const regions = screen.getAllByRole('status');
    await user.click(stars.getByRole('link', { name: /2 stars/ }));
    await waitFor(async () => expect(await rows()).toHaveLength(1));
    // A screen reader announces only a text that is added to an existing live region.
    expect(regions).toContain(screen.getByText('Showing 2-star reviews.').closest('[role=status]'));
    expect(address()).toBe(`/services/${service._id}?rating=2`);
    expect(screen.getByText('Late.')).toBeTruthy();
    expect(screen.getByRole('heading', { name: 'Total Review: 3' })).toBeTruthy();
    await user.click(stars.getByRole('link', { name: /1 star/ }));
    expect(await screen.findByText('No 1-star reviews.')).toBeTruthy();
    await user.click(screen.getByRole('link', { name: 'Show all reviews' }));
    await waitFor(async () => expect(await rows()).toHaveLength(3));
  });

  test('are searched by words and filtered by photos, and the address and a text say so', async () => {
    const service = aService({ reviewCount: 3 });
    const photos = [{ url: 'https://pictures.example/hood.jpg', alt: '' }];
    const reviews = [{ review: 'Quiet hood', photos }, { review: 'Loud hood' }, { review: 'Late' }];
    serve(
      [service],
      reviews.map((fields) => aReview(service, fields)),
    );
    const path = `/services/${service._id}`;
    const { user, address } = await open(path);
    await user.type(await screen.findByRole('searchbox', { name: 'Search these reviews' }), 'hood{Enter}');
    await screen.findByText('Showing reviews that mention “hood”.');
    expect(await rows()).toHaveLength(2);
    await user.click(screen.getByRole('link', { name: 'With photos' }));
    await screen.findByText('Showing reviews with photos that mention “hood”.');
    expect(await rows()).toHaveLength(1);
    expect(address()).toBe(`${path}?q=hood&photos=1`);
    const search = await screen.findByRole('searchbox', { name: 'Search these reviews' });
    await user.clear(search);
    await user.type(search, 'Late{Enter}');
    await screen.findByText('No reviews with photos that mention “Late”.');
    expect(address()).toBe(`${path}?q=Late&photos=1`);
    await user.click(screen.getByRole('link', { name: 'Show all reviews' }));
    await waitFor(async () => expect(await rows()).toHaveLength(3));
    expect(address()).toBe(path);
  });

  test('are sorted in the chosen sort order', async () => {
    const service = aService({ reviewCount: 2 });
    serve([service], [aReview(service), aReview(service, { rating: 1, review: 'Late.' })]);
    const { user, address } = await open(`/services/${service._id}`);
    await user.selectOptions(await screen.findByRole('combobox', { name: 'Sort by' }), 'Lowest rated');
    await waitFor(() => expect(address()).toBe(`/services/${service._id}?sort=lowest`));
    await waitFor(async () => expect((await rows())[0]?.textContent).toContain('Late.'));
  });

  describe('while a filter or a sort order is loading,', () => {
    /** Opens the page. The responses to later requests whose URL contains `part` wait until the test calls `release`. */
    async function openHolding(part: string) {
      const service = aService({
        reviewCount: 3,
        ratingCount: 3,
        averageRating: 4,
        distribution: { 1: 0, 2: 2, 3: 0, 4: 0, 5: 1 },
      });
      serve([service], [aReview(service), aReview(service, { rating: 2 }), aReview(service, { rating: 2 })]);
      const app = await open(`/services/${service._id}`);
      await rows();
      const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
      api.use(
        http.get('/api/allreview', async ({ request }) => {
          if (request.url.includes(part)) await isReleased;
        }),
      );
      const { user } = app;
      return {
        release,
        expectSearch: (search: string) =>
          waitFor(() => expect(app.address()).toBe(`/services/${service._id}${search}`)),
        filter: () => user.click(screen.getByRole('link', { name: /2 stars/ })),
        sort: () => user.selectOptions(screen.getByRole('combobox', { name: 'Sort by' }), 'Lowest rated'),
      };
    }

    test('choosing a sort order keeps the filter that is still loading', async () => {
      const { filter, sort, release, expectSearch } = await openHolding('rating=2');
      await filter();
      await screen.findByText('Loading…');
      await sort();
      release();
      await expectSearch('?rating=2&sort=lowest');
      await waitFor(async () => expect(await rows()).toHaveLength(2));
    });

    test('choosing a filter keeps the sort order that is still loading', async () => {
      const { filter, sort, release, expectSearch } = await openHolding('sort=lowest');
      await sort();
      await screen.findByText('Loading…');
      await filter();
      release();
      await expectSearch('?rating=2&sort=lowest');
      await waitFor(async () => expect(await rows()).toHaveLength(2));
    });
  });

  test('are loaded in pages with the button Load more, under a heading with the total from the API', async () => {
    const service = aService({ reviewCount: 25 });
    serve(
      [service],
      Array.from({ length: 25 }, () => aReview(service)),
    );
    const { user } = await open(`/services/${service._id}`);
    expect(await screen.findByRole('heading', { name: 'Total Review: 25' })).toBeTruthy();
    expect(await rows()).toHaveLength(20);
    await user.click(screen.getByRole('button', { name: 'Load more' }));
    await waitFor(async () => expect(await rows()).toHaveLength(25));
  });

  test('have an Edit link only if the signed-in customer wrote them, and the page then also has a link “Edit your review”', async () => {
    const cora = await customer();
    const service = aService({ reviewCount: 2 });
    const [own, other] = [aReview(service, { customer: 'Cora Customer' }), aReview(service)];
    serve([service], [own, other]);
    const asked: string[] = [];
    api.use(
      http.get('/api/review', ({ request }) => {
        asked.push(`${subjectOf(bearerOf(request) ?? '')} ${new URL(request.url).search}`);
        return HttpResponse.json([{ ...own, email: cora.email }]);
      }),
    );
    const app = await open({ pathname: '/login', state: { from: { pathname: `/services/${service._id}` } } });
    await logIn(app, cora);
    expect(await screen.findByRole('link', { name: 'Add Review' })).toBeTruthy();
    expect(await screen.findByText('Yours')).toBeTruthy();
    const edit = await screen.findByRole('link', { name: 'Edit your review' });
    expect(edit.getAttribute('href')).toBe(`/editreview/${own._id}`);
    const [first, second] = await rows();
    expect(
      within(first as HTMLElement)
        .getByRole('link', { name: 'Edit your review of Hood repair' })
        .getAttribute('href'),
    ).toBe(`/editreview/${own._id}`);
    expect(within(second as HTMLElement).queryByText('Yours')).toBeNull();
    expect(within(second as HTMLElement).queryByRole('link', { name: /^Edit/ })).toBeNull();
    expect(asked).toEqual([
      `${cora.uid} ?${new URLSearchParams({ email: cora.email, serviceId: service._id, limit: '100' })}`,
    ]);
  });
});
