import type { Service, UploadedPicture } from '@rtr/shared';
import { logIn, main } from '../actions.ts';
import type { Customer } from '../backend.ts';
import { checkScreens } from '../screens.ts';
import { expect, test } from '../test.ts';
import { expectToast } from '../toasts.ts';

test('a moderator sees the hidden photos of a review, even one that the author has removed, although nobody can read their files at the public addresses', async ({
  page,
  backend,
}) => {
  const [author, reporter] = [await backend.customer('Sam Spam'), await backend.customer('Rita Reporter')];
  const moderator = await backend.customer('Mo Moderator', undefined, { moderator: true });
  const service = await backend.service(await backend.customer());
  await page.goto('/services');
  const upload = async (customer: Customer, x: number) => {
    const body = new Uint8Array(await page.screenshot({ clip: { x, y: 0, width: 800, height: 600 } }));
    const headers = { 'Content-Type': 'image/png' };
    const response = await backend.call('/pictures', { method: 'POST', body, headers, bearer: customer.token });
    return ((await response.json()) as UploadedPicture).url;
  };
  const [removed, remaining, added] = [await upload(author, 0), await upload(author, 200), await upload(author, 400)];
  const id = await backend.review(author, service.id, 'Look at this.', 1);
  const setPhotos = (urls: string[]) =>
    backend.call(`/review/${id}`, {
      method: 'PATCH',
      json: { photos: urls.map((url, index) => ({ url, alt: `Photo ${index + 1} of the kitchen` })) },
      bearer: author.token,
    });
  await setPhotos([removed, remaining]);
  await backend.report(reporter, id, { reason: 'private', about: 'picture', text: 'My face is visible.' });
  await backend.moderate(moderator, id, { action: 'hide', part: 'picture', reason: 'A face is visible.' });
  await setPhotos([remaining, added]);

  await logIn(page, moderator);
  await checkScreens(page, {
    'moderation-hidden-pictures': {
      path: '/moderation?status=closed',
      show: async (page) => {
        const pictures = main(page)
          .getByRole('article')
          .filter({ has: page.getByRole('heading', { name: `Review of ${service.title}` }) })
          .locator('img');
        const widths = () => pictures.evaluateAll((all: HTMLImageElement[]) => all.map((image) => image.naturalWidth));
        // The visible photo is shown in a suitable width. The hidden ones are shown in their full width.
        await expect.poll(widths).toEqual([112, 800, 800]);
      },
    },
    'moderation-enlarged-hidden-picture': {
      path: '/moderation?status=closed',
      show: async (page) => {
        await main(page)
          .getByRole('button', { name: 'Enlarge photo 1 of the hidden earlier pictures' })
          .first()
          .click();
        const picture = page.getByRole('dialog').locator('img');
        await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(800);
      },
    },
  });
  for (const url of [removed, remaining])
    for (const bearer of [moderator.token, author.token])
      expect((await backend.call(new URL(url).pathname, { bearer })).status).toBe(404);
});

test('a service has its picture again after a moderator has restored it, even if the lister has edited the service in the meantime', async ({
  page,
  backend,
}) => {
  const lister = await backend.customer('Lena Lister');
  const moderator = await backend.customer('Mo Moderator', undefined, { moderator: true });
  const { id, img } = await backend.service(lister);
  const post = (path: string, { token }: Customer, json: object) =>
    backend.call(path, { method: 'POST', json, bearer: token });
  const act = (action: string) =>
    post(`/moderation/service-${id}`, moderator, { action, part: 'picture', reason: 'A face is visible.' });
  const read = async () => (await (await backend.call(`/services/${id}`)).json()) as Service;

  await post(`/services/${id}/report`, await backend.customer('Rita Reporter'), {
    reason: 'private',
    about: 'picture',
  });
  await act('hide');
  expect(await read()).toMatchObject({ img: '' });
  await logIn(page, lister);
  await page.goto(`/editservice/${id}`);
  await expect(main(page).getByText('Reason: A face is visible.')).toBeVisible();
  await main(page).getByLabel('Price').fill('from $95');
  await main(page).getByRole('button', { name: 'Save changes' }).click();
  await expectToast(page, 'success', 'Your service is updated.');
  await act('restore');
  expect(await read()).toMatchObject({ price: 'from $95', img });
});
