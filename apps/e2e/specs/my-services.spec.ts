import type { Page } from '@playwright/test';
import { main, navbar, openSignedIn } from '../actions.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// The browser logs responses with an error status. The second of two edits gets 412, and a withdrawn service gets 404.
test.use({ expectedErrors: /status of (404|412)/ });

const field = (page: Page, label: string) => main(page).getByRole('textbox', { name: label, exact: true });
const press = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true }).click();

test('a customer adds a service with contact details, edits it in two tabs, withdraws it and restores it', async ({
  page,
  context,
  backend,
}) => {
  const customer = await backend.customer('Mina Duct');
  const title = `Duct ${customer.uid}`;
  await openSignedIn(page, customer, '/addservices');
  await expect(main(page).getByText('Your name, Mina Duct, is shown with your service.')).toBeVisible();
  await field(page, 'Title').fill(title);
  await field(page, 'Phone').fill('+1 (555) 010-0199');
  await field(page, 'Website').fill('https://ducts.example/');
  await field(page, 'Area').fill('Brooklyn');
  await press(page, 'Add service');
  await expectToast(page, 'success', 'Service Add Successfully');

  await navbar(page).getByRole('link', { name: 'My services' }).click();
  // Wait for the page My services before the click, because other pages also have a link with the title of the service.
  await expect(page.getByRole('heading', { level: 1, name: 'My services' })).toBeVisible();
  await main(page).getByRole('link', { name: title, exact: true }).click();
  await expect(main(page).getByText('Listed by Mina Duct')).toBeVisible();
  const call = main(page).getByRole('link', { name: 'Call +1 (555) 010-0199' });
  await expect(call).toHaveAttribute('href', 'tel:+15550100199');
  const website = main(page).getByRole('link', { name: 'Website ducts.example' });
  await expect(website).toHaveAttribute('rel', 'nofollow noopener ugc');
  await page.goBack();

  const otherTab = await context.newPage();
  await otherTab.goto('/myservices');
  for (const tab of [page, otherTab])
    await main(tab)
      .getByRole('link', { name: `Edit ${title}` })
      .click();
  await field(otherTab, 'Price').fill('from $80');
  await field(page, 'Price').fill('from $75');
  await press(otherTab, 'Save changes');
  await expect(otherTab).toHaveURL('/myservices');
  await press(page, 'Save changes');
  const versions = main(page).getByRole('group', { name: 'Price' });
  await expect(versions).toContainText('Saved versionfrom $80');
  await expect(versions).toContainText('Your versionfrom $75');
  await press(page, 'Save your version');
  await expectToast(page, 'success', 'Your service is updated.');
  await expect(page.getByRole('heading', { level: 1, name: 'My services' })).toBeVisible();
  await expect(main(page).getByText('from $75')).toBeVisible();
  await otherTab.close();

  const path = await main(page).getByRole('link', { name: title, exact: true }).getAttribute('href');
  page.once('dialog', (dialog) => dialog.accept());
  await press(page, `Withdraw ${title}`);
  await expect(main(page).getByText(`${title} is withdrawn.`)).toBeVisible();
  expect((await backend.call(path ?? '')).status).toBe(404);
  await page.goto(path ?? '');
  await expect(page.getByRole('heading', { name: 'You have withdrawn this service' })).toBeVisible();
  await press(page, `List again ${title}`);
  await expectToast(page, 'success', 'Your service is listed again.');
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
  expect((await backend.call(path ?? '')).status).toBe(200);
});
