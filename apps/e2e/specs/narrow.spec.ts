import type { Page } from '@playwright/test';
import { email, logIn, main } from '../actions.ts';
import { expectNoSidewaysScroll } from '../look.ts';
import { expect, test } from '../test.ts';

// A word without end in every text that people give, where it is narrowest. Screens without such texts are looked at
// in screens.spec.ts.

const word = 'Grease'.repeat(13);
const menu = (page: Page) => page.getByRole('button', { name: 'Open menu' });

test.use({ viewport: { width: 320, height: 640 } });
// The provider tells of an unknown email; the customer does not see it.
test.use({ expectedErrors: /sendOobCode/ });
test.slow();

test('a word without end widens no page and no dialog, at 320 pixels', async ({ page, backend }) => {
  const customer = await backend.customer(word);
  const list = () =>
    backend.service(customer, {
      title: word,
      price: word.slice(0, 40),
      ratting: word.slice(0, 40),
      description: word.repeat(2),
    });
  const service = await list();
  const id = await backend.review(customer, service.id, word.repeat(3), 2);

  const fits = async (path: string, show: () => Promise<unknown> = () => Promise.resolve()) => {
    await page.goto(path);
    await expect(page.getByText(word.slice(0, 40)).first()).toBeAttached();
    await show();
    await expectNoSidewaysScroll(page, path);
  };
  // Among the newest three, of which other tests list some too.
  const homeFits = async () => {
    await expect(async () => {
      await list();
      await page.goto('/');
      await expect(main(page).getByText(word.slice(0, 40)).first()).toBeAttached({ timeout: 5000 });
    }).toPass();
    await expectNoSidewaysScroll(page, '/');
  };
  const details = `/services/${service.id}`;
  const enlarge = async () => {
    await main(page)
      .getByRole('button', { name: /^Enlarge/ })
      .click();
    await expect(page.getByRole('dialog').getByText(word)).toBeVisible();
  };

  await homeFits();
  await fits('/services');
  await fits(`/services?q=${word}`);
  await fits(`/services?q=${word}zz`, () => expect(main(page).getByText('Nothing found')).toBeVisible());
  await fits(details);
  await fits(details, enlarge);
  await page.goto('/login');
  await email(page).fill(`${word.slice(0, 64)}@kitchen.test`);
  await main(page).getByRole('button', { name: 'Forgot password?' }).click();
  await page.getByRole('button', { name: 'Send the link' }).click();
  await expect(page.getByRole('dialog').getByText('is on its way')).toBeVisible();
  await expectNoSidewaysScroll(page, 'the sent link');

  await page.setViewportSize({ width: 1280, height: 640 });
  await logIn(page, customer);
  await page.setViewportSize({ width: 320, height: 640 });
  await homeFits();
  await fits(details);
  await fits('/account');
  await fits('/account', () => main(page).getByRole('button', { name: 'Delete my account' }).click());
  await fits('/account', async () => {
    await menu(page).click();
    await expect(page.getByRole('button', { name: 'Sign Out', exact: true })).toBeVisible();
  });
  await fits(`/review/${service.id}`);
  await fits(`/editreview/${id}`);
  await page.goto('/addservices');
  for (const label of ['Title', 'Price', 'Rating', 'Description'])
    await main(page).getByLabel(label, { exact: true }).fill(word.slice(0, 40));
  await expect(
    main(page).getByRole('region', { name: 'How it will look' }).getByText(word.slice(0, 40)).first(),
  ).toBeVisible();
  await expectNoSidewaysScroll(page, 'the card beside the form');
  page.on('dialog', (dialog) => dialog.accept());
  await fits('/myreview');
  await main(page)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expect(main(page).getByRole('button', { name: 'Undo' })).toBeVisible();
  await expectNoSidewaysScroll(page, 'the deleted row and its toast');
});
