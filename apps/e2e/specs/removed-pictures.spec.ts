import type { UploadedPicture } from '@rtr/shared';
import { logIn, main } from '../actions.ts';
import { checkScreens } from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

// Each screen is loaded again at several sizes, so the browser may still request the file that was removed.
test.use({ expectedErrors: /status of 404/ });

test('a moderator removes the photos of a review after a warning that this is final, and the author reads the reason', async ({
  page,
  backend,
}) => {
  const [author, reporter] = [await backend.customer('Sam Spam'), await backend.customer('Rita Reporter')];
  const moderator = await backend.customer('Mo Moderator', undefined, { moderator: true });
  const service = await backend.service(await backend.customer());
  await page.goto('/services');
  const body = new Uint8Array(await page.screenshot({ clip: { x: 0, y: 0, width: 800, height: 600 } }));
  const headers = { 'Content-Type': 'image/png' };
  const upload = await backend.call('/pictures', { method: 'POST', body, headers, bearer: author.token });
  const { url } = (await upload.json()) as UploadedPicture;
  const id = await backend.review(author, service.id, 'Look at this.', 1);
  const photos = [{ url, alt: 'The kitchen' }];
  await backend.call(`/review/${id}`, { method: 'PATCH', json: { photos }, bearer: author.token });
  await backend.report(reporter, id, { reason: 'private', about: 'picture', text: 'My face is visible.' });

  await logIn(page, moderator);
  const open = async () => {
    await main(page)
      .getByRole('article')
      .filter({ has: page.getByRole('heading', { name: `Review of ${service.title}` }) })
      .getByRole('button', { name: 'Hide the review by Sam Spam' })
      .click();
    await expect(page.getByRole('dialog').getByText('Pictures are removed for good.')).toBeVisible();
  };
  await checkScreens(page, { 'moderation-remove': { path: '/moderation', show: open } });
  await page.goto('/moderation');
  await open();
  await page.getByRole('dialog').getByLabel('Reason').fill('A face is visible.');
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the pictures' }).click();
  await expectToast(page, 'success', 'The pictures are removed.');
  expect((await backend.call(new URL(url).pathname)).status).toBe(404);
  expect(await backend.reviewsOf(service.id)).toMatchObject([{ _id: id, review: 'Look at this.' }]);

  await page.getByRole('button', { name: 'Sign Out', exact: true }).click();
  await logIn(page, author);
  await page.goto('/myreview');
  await expect(main(page).getByText('Reason: A face is visible.')).toBeVisible();
});
