import type { UploadedPicture } from '@rtr/shared';
import { main, openSignedIn } from '../actions.ts';
import { addReview, caseOf, dialog, signOut } from '../moderation.ts';
import { checkScreens } from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// Each screen is loaded again at several sizes, so the browser may still request the file that was removed.
test.use({ expectedErrors: /status of 404/ });

test('a moderator removes the photos of a review after a warning that this is final, and the author reads the reason', async ({
  page,
  backend,
}) => {
  const { author, reporter, moderator, service, id } = await addReview(backend, 'Look at this.');
  await page.goto('/services');
  const body = new Uint8Array(await page.screenshot({ clip: { x: 0, y: 0, width: 800, height: 600 } }));
  const headers = { 'Content-Type': 'image/png' };
  const upload = await backend.call('/pictures', { method: 'POST', body, headers, bearer: author.token });
  const { url } = (await upload.json()) as UploadedPicture;
  const photos = [{ url, alt: 'The kitchen' }];
  await backend.call(`/review/${id}`, { method: 'PATCH', json: { photos }, bearer: author.token });
  await backend.report(reporter, id, { reason: 'private', about: 'picture', text: 'My face is visible.' });

  await openSignedIn(page, moderator);
  const open = async () => {
    await caseOf(page, service.title).getByRole('button', { name: 'Hide the review by Sam Spam' }).click();
    await expect(dialog(page).getByText('Pictures are removed for good.')).toBeVisible();
  };
  await checkScreens(page, { 'moderation-remove': { path: '/moderation', show: open } });
  await page.goto('/moderation');
  await open();
  await dialog(page).getByLabel('Reason').fill('A face is visible.');
  await dialog(page).getByRole('button', { name: 'Remove the pictures' }).click();
  await expectToast(page, 'success', 'The pictures are removed.');
  expect((await backend.call(new URL(url).pathname)).status).toBe(404);
  expect(await backend.reviewsOf(service.id)).toMatchObject([{ _id: id, review: 'Look at this.' }]);

  await signOut(page);
  await openSignedIn(page, author);
  await page.goto('/myreview');
  await expect(main(page).getByText('Reason: A face is visible.')).toBeVisible();
});
