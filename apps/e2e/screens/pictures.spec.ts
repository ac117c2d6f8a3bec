import { main, openSignedIn } from '../actions.ts';
import { drawPng } from '../draw-png.ts';
import { checkScreen } from '../screens.ts';
import { expect, test } from '../test.ts';

test('the form that adds a service is accessible and fits the window during an upload, and when the file is not a picture', async ({
  page,
  backend,
}) => {
  await openSignedIn(page, await backend.customer(), '/addservices');
  const control = main(page).getByLabel('Upload a picture');
  // The API never responds, so the upload does not end.
  await page.route('**/api/pictures', () => {});
  await control.setInputFiles(await drawPng(page, 200, 200));
  await expect(main(page).getByRole('progressbar', { name: 'Upload progress' })).toBeVisible();
  await checkScreen(page, 'picture-upload');
  await main(page).getByRole('button', { name: 'Cancel upload' }).press('Enter');
  await expect(control).toBeFocused();
  await control.setInputFiles({ name: 'offer.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await expect(main(page).getByText('This file is not a JPEG, PNG, WebP, AVIF or GIF picture.')).toBeVisible();
  await checkScreen(page, 'rejected-picture');
});
