import type { Page } from '@playwright/test';
import type { Service } from '@rtr/shared';
import { email, main, searchField, tryToLogIn, tryToSignUp } from '../actions.ts';
import {
  checkScreen,
  checkScreens,
  dismissToast,
  keepToasts,
  openMenu,
  opensDialog,
  press,
  respond,
  showsText,
} from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// Some tests make responses and scripts fail, which the browser logs as errors.
test.use({ expectedErrors: /status of (400|404|503)|net::ERR|dynamically imported/ });

test('the home page is accessible and fits the window, with each of the first two slides of the carousel', async ({
  page,
}) => {
  await checkScreens(page, {
    home: { path: '/', show: (page) => expect(main(page).getByRole('article')).toHaveCount(3) },
    'home-second-slide': {
      path: '/',
      show: async (page) => {
        await press('Next')(page);
        await expect(main(page).getByRole('link', { name: 'See hood repair' })).toBeInViewport({ ratio: 1 });
      },
      fullPage: false,
    },
  });
});

test('the list of services is accessible and fits the window, with and without results', async ({ page }) => {
  await checkScreens(page, {
    services: { path: '/services', show: showsText('services') },
    'services-corrected': { path: '/services?q=hod+instalation', show: showsText('Showing results for') },
    'services-nothing-found': { path: '/services?q=zzzz', show: showsText('Nothing found') },
    'services-filters': {
      path: '/services?area=Riverside&contact=1',
      show: (page) => main(page).getByText('Filters', { exact: true }).click(),
    },
  });
});

test('the suggestions of a search are accessible and fit the window', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto('/services');
  await searchField(main(page)).fill('hood');
  const suggestions = page.getByRole('listbox', { name: 'Suggestions' });
  await expect(suggestions.getByRole('option')).toHaveCount(6);
  await page.keyboard.press('ArrowDown');
  await checkScreen(page, 'services-suggestions', { only: 'phone', fullPage: false });
  await expect(suggestions.getByRole('option', { selected: true })).toBeVisible();
});

test.describe('with the demo catalogue,', () => {
  let id = '';
  let listerId = '';
  test.beforeEach(async ({ backend }) => {
    const ofListers: Service[] = await (await backend.call('/services?limit=1&q=wall+canopy')).json();
    listerId = ofListers[0]?.listerId ?? '';
    const services: Service[] = await (await backend.call('/services?limit=1&q=cold+room+doors')).json();
    id = services[0]?._id ?? '';
  });

  test('the page of a lister, and the page for an unknown lister are accessible and fit the window', async ({
    page,
  }) => {
    await checkScreens(page, {
      lister: { path: `/listers/${listerId}`, show: showsText('Newest reviews') },
      'lister-unknown': {
        path: '/listers/000000000000000000000000',
        show: showsText('This lister has no services here'),
      },
    });
  });

  test('the page of a service with all reviews, the same page with filtered reviews, and the page for an unknown service are accessible and fit the window', async ({
    page,
  }) => {
    await checkScreens(page, {
      details: { path: `/services/${id}` },
      'details-star-filter': { path: `/services/${id}?rating=5`, show: showsText('Showing 5-star reviews.') },
      'service-unknown': {
        path: '/services/000000000000000000000000',
        show: showsText('This service is not listed'),
      },
    });
  });

  test('the list of saved services is accessible and fits the window when it is empty, and when one of its services does not exist', async ({
    page,
  }) => {
    await checkScreens(page, {
      'services-saved-none': { path: '/services?saved', show: showsText('No saved services yet') },
      'services-saved': {
        path: '/services?saved',
        prepare: (page) =>
          page.evaluate(
            (ids) => {
              for (const key of ['rtr-saved', 'rtr-viewed']) localStorage.setItem(key, ids);
            },
            `${id} ${'0'.repeat(24)}`,
          ),
        show: showsText('This service is not listed'),
      },
    });
  });
});

test('the login and sign-up forms are accessible and fit the window', async ({ page }) => {
  await checkScreens(page, { login: { path: '/login' }, signup: { path: '/signup' } });
});

test('the page Blogs and the pages about the product are accessible and fit the window', async ({ page }) => {
  await checkScreens(page, {
    blogs: { path: '/blogs' },
    about: { path: '/about' },
    'how-reviews-work': { path: '/how-reviews-work' },
  });
});

test('the legal pages and the Not Found page are accessible and fit the window', async ({ page }) => {
  await checkScreens(page, {
    privacy: { path: '/privacy' },
    terms: { path: '/terms' },
    'not-found': { path: '/no/such/page' },
  });
});

test('the home page and the list of services are accessible and fit the window when the services fail to load, when the home page is still loading and when the list is empty', async ({
  page,
}) => {
  await checkScreens(page, {
    'home-loading': {
      path: '/about',
      link: 'Home',
      prepare: (page) => page.route('**/api/services?**', () => {}),
      show: (page) => expect(main(page).locator('[aria-busy=true]')).toBeVisible(),
    },
    'home-failed': {
      path: '/about',
      link: 'Home',
      prepare: respond('services?**', 503),
      show: showsText('The services did not load'),
    },
    'services-failed': {
      path: '/',
      link: 'See all services',
      prepare: respond('services?**', 503),
      show: showsText('The services did not load'),
    },
    'services-empty': {
      path: '/',
      link: 'See all services',
      prepare: respond('services?**', 200, []),
      show: showsText('No services yet'),
    },
  });
});

test('the page of a service is accessible and fits the window while it loads, when it fails to load and when it has no reviews', async ({
  page,
  backend,
}) => {
  const service = await backend.service(await backend.customer(), { title: 'Duct cleaning over the bread oven' });
  const fromList = { path: `/services?q=${encodeURIComponent(service.title)}`, link: service.title };
  await checkScreens(page, {
    'details-loading': {
      ...fromList,
      prepare: (page) => page.route(`**/api/services/${service.id}`, () => {}),
      show: (page) => expect(page.getByRole('status').filter({ hasText: 'Loading…' })).toBeAttached(),
    },
    'error-server-away': {
      ...fromList,
      prepare: respond(`services/${service.id}`, 503),
      show: showsText('We cannot reach the kitchen right now.'),
    },
    'details-reviews-failed': {
      ...fromList,
      prepare: respond('allreview?**', 503),
      show: showsText('The reviews did not load.'),
    },
    'details-no-reviews': { path: `/services/${service.id}`, show: showsText('No reviews yet') },
  });
});

test('the offline notice, and the error page for a script that does not load, are accessible and fit the window', async ({
  page,
}) => {
  await checkScreens(page, {
    'error-part-missing': {
      path: '/blogs',
      prepare: (page) => page.route('**/assets/blogs-*.js', (route) => route.abort()),
      show: showsText('The connection may have dropped.'),
    },
    offline: {
      path: '/blogs',
      show: async (page) => {
        await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeVisible();
        await page.context().setOffline(true);
        await expect(page.getByText('You are offline.')).toBeVisible();
      },
    },
  });
});

test('the dialogs for an enlarged picture and for Google sign-in are accessible and fit the window', async ({
  page,
  backend,
}) => {
  const service = await backend.service(await backend.customer());
  await checkScreens(page, {
    'details-lightbox': { path: `/services/${service.id}`, show: opensDialog(/enlarge/i) },
    'login-google': { path: '/login', show: opensDialog(/Google/) },
  });
});

test('the dialogs that answer the four questions on the page Blogs are accessible and fit the window', async ({
  page,
}) => {
  const answer = (heading: string) => ({ path: '/blogs', show: opensDialog(`Read the answer: ${heading}`) });
  await checkScreens(page, {
    'blogs-answer': answer('SQL vs NoSQL'),
    'blogs-answer-2': answer('How Node handles concurrent requests'),
    'blogs-answer-3': answer('JavaScript vs Node'),
    'blogs-answer-4': answer('What a JWT is'),
  });
});

test('the messages after a rejected login, a rejected sign-up and a request for a new password are accessible and fit the window', async ({
  page,
  backend,
  run,
}) => {
  const customer = await backend.customer();
  const submitWrongPassword = (page: Page) => tryToLogIn(page, { email: customer.email, password: 'not the password' });
  await checkScreens(page, {
    'login-forgot': {
      path: '/login',
      show: async (page) => {
        await email(page).fill(customer.email);
        await opensDialog('Forgot password?')(page);
        await page.getByRole('button', { name: 'Send the link' }).click();
        await expect(page.getByText('is on its way')).toBeVisible();
      },
    },
    'login-rejected': {
      path: '/login',
      show: async (page) => {
        await submitWrongPassword(page);
        await dismissToast(page, 'error', 'Your Email or Password Wrong');
        await showsText('Check both')(page);
      },
    },
    'signup-rejected': {
      path: '/signup',
      show: async (page) => {
        const newcomer = { name: 'Nadia', picture: `${run.web}/pictures/avatar-2.svg`, email: customer.email };
        await tryToSignUp(page, { ...newcomer, password: '12345', confirm: '54321' });
        await dismissToast(page, 'error', 'Password should be 6 character or more');
        await showsText('Password should be 6 character or more')(page);
      },
    },
  });
});

test('an error toast and the menu of a visitor are accessible and fit the window', async ({ page, backend }) => {
  const { email } = await backend.customer();
  await page.goto('/login');
  await keepToasts(page);
  await tryToLogIn(page, { email, password: 'not the password' });
  await expectToast(page, 'error', 'Your Email or Password Wrong');
  await checkScreen(page, 'toast-error');
  await expect(page.locator('[data-toast]')).toBeVisible();
  await openMenu(page);
  await checkScreen(page, 'menu-signed-out', { only: 'phone' });
});
