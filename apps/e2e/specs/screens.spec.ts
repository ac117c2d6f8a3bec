import type { Page } from '@playwright/test';
import { email, logIn, main, navbar, tryToLogIn, tryToSignUp } from '../actions.ts';
import { look } from '../look.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

interface Screen {
  path: string;
  /** Pressed on the page at `path`, so that the browser asks the API: a page that is loaded comes with its data. */
  link?: string;
  /** What the world around the page is like. */
  given?: (page: Page) => Promise<unknown>;
  /** What is done there until it shows the state to look at. */
  until?: (page: Page) => Promise<unknown>;
  /** Taken as the window shows it: for a picture of the whole page the browser moves what snaps. */
  inWindow?: true;
}

async function lookAt(page: Page, screens: Record<string, Screen>): Promise<void> {
  for (const [name, { path, link, given, until, inWindow }] of Object.entries(screens)) {
    await test.step(name, async () => {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ reducedMotion: 'reduce' });
      await given?.(page);
      await page.goto(path);
      if (link) await page.getByRole('link', { name: link, exact: true }).first().click();
      if (until) await until(page);
      else await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await look(page, name, { fullPage: !inWindow });
      await page.unrouteAll();
    });
  }
}

const shows = (text: string) => (page: Page) => expect(main(page).getByText(text).first()).toBeVisible();

const press = (name: string | RegExp) => (page: Page) => main(page).getByRole('button', { name }).first().click();

const opens = (name: string | RegExp) => async (page: Page) => {
  await press(name)(page);
  await expect(page.getByRole('dialog')).toBeVisible();
};

/** A toast came, and goes with all others: it would else stand in some pictures and not in others. */
async function dismissToast(page: Page, ...toast: [kind: 'success' | 'error', text: string]): Promise<void> {
  await expectToast(page, ...toast);
  const dismiss = page.getByRole('button', { name: 'Dismiss' });
  await expect(async () => {
    if (await dismiss.count()) await dismiss.first().click({ timeout: 500 });
    expect(await dismiss.count()).toBe(0);
  }).toPass();
}

/** The fake boundary is what the API answers to this call, also when the page asks again. */
const answering =
  (call: string, status: number, json: object = { status }) =>
  (page: Page) =>
    page.route(`**/api/${call}`, (route) => route.fulfill({ status, headers: { 'X-Total-Count': '0' }, json }));

// Answers that are not 200, and a script that does not arrive, are noted by the browser's console.
test.use({ expectedErrors: /status of (400|403|404|503)|net::ERR|dynamically imported/ });
// Each walks through many screens, on machines that may be busy.
test.slow();

test('the services as a visitor sees them', async ({ page, backend }) => {
  const services: { _id: string }[] = await (await backend.call('/services?limit=1&q=cold+room+doors')).json();
  const details = `/services/${services[0]?._id}`;
  await lookAt(page, {
    home: { path: '/', until: (page) => expect(main(page).getByRole('article')).toHaveCount(3) },
    'home-second-slide': {
      path: '/',
      until: async (page) => {
        await press('Next')(page);
        await expect(main(page).getByRole('link', { name: 'See hood repair' })).toBeInViewport({ ratio: 1 });
      },
      inWindow: true,
    },
    services: { path: '/services', until: shows('services') },
    'services-nothing-found': { path: '/services?q=zzzz', until: shows('Nothing found') },
    details: { path: details },
    'details-star-filter': { path: `${details}?rating=5`, until: shows('Showing 5-star reviews.') },
    'service-unknown': { path: '/services/000000000000000000000000', until: shows('This service is not listed') },
    'services-saved-none': { path: '/services?saved', until: shows('Nothing saved yet') },
    'services-saved': {
      path: '/services?saved',
      given: (page) =>
        page.evaluate(
          (ids) => {
            for (const key of ['rtr-saved', 'rtr-viewed']) localStorage.setItem(key, ids);
          },
          `${services[0]?._id} ${'0'.repeat(24)}`,
        ),
      until: shows('This service is not listed'),
    },
  });
});

test('the pages as a visitor sees them', async ({ page }) => {
  await lookAt(page, {
    login: { path: '/login' },
    signup: { path: '/signup' },
    blogs: { path: '/blogs' },
    about: { path: '/about' },
    'how-reviews-work': { path: '/how-reviews-work' },
    privacy: { path: '/privacy' },
    terms: { path: '/terms' },
    'not-found': { path: '/no/such/page' },
  });
});

test('what a visitor sees when something is on its way, fails or is empty', async ({ page, backend }) => {
  const lister = await backend.customer();
  const service = await backend.service(lister, { title: 'Duct cleaning over the bread oven' });
  const details = `/services/${service.id}`;
  const onList = { path: `/services?q=${encodeURIComponent(service.title)}`, link: service.title };
  await lookAt(page, {
    'details-loading': {
      ...onList,
      given: (page) => page.route(`**/api/services/${service.id}`, () => {}),
      until: (page) => expect(page.getByRole('status').filter({ hasText: 'Loading…' })).toBeAttached(),
    },
    'home-loading': {
      path: '/about',
      link: 'Home',
      given: (page) => page.route('**/api/services?**', () => {}),
      until: (page) => expect(main(page).locator('[aria-busy=true]')).toBeVisible(),
    },
    'home-failed': {
      path: '/about',
      link: 'Home',
      given: answering('services?**', 503),
      until: shows('The services did not load'),
    },
    'services-failed': {
      path: '/',
      link: 'See all services',
      given: answering('services?**', 503),
      until: shows('The services did not load'),
    },
    'services-empty': {
      path: '/',
      link: 'See all services',
      given: answering('services?**', 200, []),
      until: shows('No services yet'),
    },
    'error-part-missing': {
      path: '/blogs',
      given: (page) => page.route('**/assets/blogs-*.js', (route) => route.abort()),
      until: shows('The connection may have dropped.'),
    },
    'error-server-away': {
      ...onList,
      given: answering(`services/${service.id}`, 503),
      until: shows('We cannot reach the kitchen right now.'),
    },
    'details-reviews-failed': {
      ...onList,
      given: answering('allreview?**', 503),
      until: shows('The reviews did not load.'),
    },
    'details-no-reviews': { path: details, until: shows('No reviews yet') },
  });
});

test('what a visitor sees when something opens or is refused', async ({ page, backend, run }) => {
  const lister = await backend.customer();
  const service = await backend.service(lister, { title: 'Duct cleaning over the pizza oven' });
  const details = `/services/${service.id}`;
  await lookAt(page, {
    'details-lightbox': { path: details, until: opens(/enlarge/i) },
    'blogs-answer': { path: '/blogs', until: opens('Read the answer: SQL vs NoSQL') },
    'blogs-answer-2': { path: '/blogs', until: opens('Read the answer: How Node handles concurrent requests') },
    'blogs-answer-3': { path: '/blogs', until: opens('Read the answer: JavaScript vs Node') },
    'blogs-answer-4': { path: '/blogs', until: opens('Read the answer: What a JWT is') },
    'login-google': { path: '/login', until: opens(/Google/) },
    'login-forgot': {
      path: '/login',
      until: async (page) => {
        await email(page).fill(lister.email);
        await opens('Forgot password?')(page);
        await page.getByRole('button', { name: 'Send the link' }).click();
        await expect(page.getByText('is on its way')).toBeVisible();
      },
    },
    'login-refused': {
      path: '/login',
      until: async (page) => {
        await tryToLogIn(page, { email: lister.email, password: 'not the password' });
        await dismissToast(page, 'error', 'Your Email or Password Wrong');
        await shows('Check both')(page);
      },
    },
    'signup-refused': {
      path: '/signup',
      until: async (page) => {
        const who = { name: 'Nadia', picture: `${run.web}/pictures/avatar-2.svg`, email: lister.email };
        await tryToSignUp(page, { ...who, password: '12345', confirm: '54321' });
        await dismissToast(page, 'error', 'Password should be 6 character or more');
        await shows('Password should be 6 character or more')(page);
      },
    },
  });
});

test('the screens as a customer sees them', async ({ page, backend }) => {
  const customer = await backend.customer();
  const stranger = await backend.customer('Otto Other');
  const service = await backend.service(await backend.customer(), { title: 'Hood over a six-burner range' });
  const words = 'Quiet, level, and the flat above no longer complains.';
  const review = await backend.review(customer, service.id, words, 5);
  const foreign = await backend.review(stranger, service.id, 'It took a day longer than said.', 3);
  await logIn(page, customer);
  await lookAt(page, {
    'details-own-review': { path: `/services/${service.id}`, until: shows('Edit') },
    'my-reviews': { path: '/myreview', until: shows(words) },
    'add-service': { path: '/addservices' },
    'write-review': { path: `/review/${service.id}` },
    'edit-review': { path: `/editreview/${review}` },
    account: { path: '/account', until: shows('your 1 review') },
    'edit-forbidden': { path: `/editreview/${foreign}` },
    'edit-missing': { path: '/editreview/000000000000000000000000', until: shows('This review is not here') },
    'write-unlisted': { path: '/review/000000000000000000000000', until: shows('This service is not listed') },
  });
});

test('what a customer sees when something opens, is refused, fails or is empty', async ({ page, backend }) => {
  const customer = await backend.customer();
  const service = await backend.service(customer, { title: 'Hood over a six-burner range' });
  await logIn(page, customer);
  await lookAt(page, {
    'my-reviews-failed': {
      path: '/myreview',
      given: answering('review?**', 503),
      until: shows('Your reviews did not load'),
    },
    'my-reviews-empty': { path: '/myreview', until: shows('You have not reviewed anything yet') },
    'write-review-failed': {
      path: `/review/${service.id}`,
      given: answering('review', 503),
      until: async (page) => {
        await main(page).getByRole('radio', { name: /4/ }).check({ force: true });
        await main(page).getByLabel('Your review', { exact: true }).fill('Two days, no mess. The hood hums.');
        await press('Send review')(page);
        await dismissToast(page, 'error', 'We cannot reach the kitchen right now. Your text is safe here.');
        await shows('Your text is safe here.')(page);
      },
    },
    'write-review-draft': { path: `/review/${service.id}`, until: shows('We kept your draft') },
    'add-service-untitled': {
      path: '/addservices',
      until: async (page) => {
        await main(page).getByLabel('Picture URL', { exact: true }).fill('no address');
        await press('Add service')(page);
        await shows('Without a title')(page);
      },
    },
    'add-service-refused': {
      path: '/addservices',
      until: async (page) => {
        await main(page).getByLabel('Title', { exact: true }).fill('Wok range extractor');
        await main(page).getByLabel('Picture URL', { exact: true }).fill('no address');
        await press('Add service')(page);
        await expect(main(page).locator('[aria-invalid]')).toHaveCount(1);
      },
    },
    'add-service-leave': {
      path: '/addservices',
      until: async (page) => {
        await main(page).getByLabel('Price', { exact: true }).fill('from $1,200');
        await navbar(page).getByRole('link', { name: 'Blogs' }).click();
        await expect(page.getByRole('dialog', { name: 'Leave without sending?' })).toBeVisible();
      },
    },
    'toast-loading': {
      path: '/addservices',
      given: (page) => page.route('**/api/services', () => {}),
      until: async (page) => {
        await main(page).getByLabel('Title', { exact: true }).fill('Wok range extractor');
        await main(page).getByLabel('Picture URL', { exact: true }).fill('');
        await press('Add service')(page);
        await expect(page.locator('[data-toast=loading]')).toBeVisible();
      },
    },
    'account-refused': {
      path: '/account',
      until: async (page) => {
        await main(page).getByLabel('Name', { exact: true }).fill('V'.repeat(90));
        await press('Save changes')(page);
        await shows('Give a name of 1 to 80 characters.')(page);
      },
    },
    'account-delete': { path: '/account', until: opens('Delete my account') },
    'account-delete-again': {
      path: '/account',
      given: answering('account', 403),
      until: async (page) => {
        await opens('Delete my account')(page);
        const dialog = page.getByRole('dialog');
        await dialog.getByRole('button', { name: 'Delete my account' }).click();
        await expect(dialog.getByText('Your last login is more than 5 minutes ago.')).toBeVisible();
      },
    },
    'details-review-deleted': {
      path: `/services/${service.id}`,
      given: async () => {
        await backend.review(customer, service.id, 'Deleted where it is read.', 3);
      },
      until: async (page) => {
        page.once('dialog', (dialog) => dialog.accept());
        await press(/^Delete/)(page);
        await dismissToast(page, 'success', 'Deleted Successfully');
        await shows('Undo')(page);
      },
    },
    'turned-off': {
      path: '/myreview',
      given: () => backend.disable(customer),
      until: shows('This account has been turned off'),
    },
  });
});

test('messages, the menu, and being offline', async ({ page, backend }) => {
  const customer = await backend.customer();
  const service = await backend.service(customer, { title: 'Hood over a six-burner range' });
  await backend.review(customer, service.id, 'Quiet, level, and the flat above no longer complains.', 5);
  /** A toast stays while the focus is in it, however long it is looked at. The pointer would leave it. */
  const holdToasts = () =>
    page.evaluate(() => {
      const hold = () => document.querySelector<HTMLElement>('[data-toast] button')?.focus();
      new MutationObserver(hold).observe(document.body, { childList: true, subtree: true });
      // Also when something else takes the focus, such as Undo.
      addEventListener('focusin', hold);
    });
  const lookAtToast = async (name: string) => {
    await look(page, name);
    await expect(page.locator('[data-toast]')).toBeVisible();
  };
  const openMenu = async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto('/blogs');
    await page.getByRole('button', { name: 'Open menu' }).click();
  };

  await page.goto('/login');
  await holdToasts();
  await tryToLogIn(page, { email: customer.email, password: 'not the password' });
  await expectToast(page, 'error', 'Your Email or Password Wrong');
  await lookAtToast('toast-error');
  await openMenu();
  await look(page, 'menu-signed-out', { only: 'phone' });

  await page.setViewportSize({ width: 1280, height: 900 });
  await logIn(page, customer);
  await page.goto('/myreview');
  page.once('dialog', (dialog) => dialog.accept());
  await holdToasts();
  await press(/^Delete/)(page);
  await expectToast(page, 'success', 'Deleted Successfully');
  await lookAtToast('my-reviews-deleted');
  await openMenu();
  await look(page, 'menu-signed-in', { only: 'phone' });

  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/blogs');
  await expect(page.getByRole('heading', { level: 1, name: 'Blogs' })).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText('You are offline.')).toBeVisible();
  await look(page, 'offline');
});
