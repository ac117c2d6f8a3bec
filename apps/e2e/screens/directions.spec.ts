import type { Page } from '@playwright/test';
import type { InsertResult } from '@rtr/shared';
import { main, openSignedIn } from '../actions.ts';
import { expect, test } from '../test.ts';

// Each text begins and ends with a Hebrew letter. Without bidi isolation (`<bdi>`), such a text would change the order of
// English words on the same line.
const name = 'נועה לוי';
const words = {
  title: 'ניקוי מנדפים',
  ratting: 'טוב מאוד',
  price: 'לפי הצעה',
  description: 'מנקים מנדפים בלילה',
};

/** Returns the lines of the page in which Hebrew text without bidi isolation is next to other text. */
async function mixedLines(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const mixed: string[] = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = texts.nextNode(); text; text = texts.nextNode()) {
      if (!/\p{sc=Hebr}/u.test(text.textContent ?? '')) continue;
      let box = text.parentElement;
      // Skips visually hidden text, which is at most 1 px wide. Only screen readers read this text, and they do not
      // need bidi isolation.
      if (box && box.getBoundingClientRect().width <= 1) continue;
      while (box && getComputedStyle(box).display === 'inline' && getComputedStyle(box).unicodeBidi === 'normal')
        box = box.parentElement;
      const whole = box?.textContent?.trim() ?? '';
      if (box?.checkVisibility() && !/^\p{sc=Hebr}.*\p{sc=Hebr}$/su.test(whole)) mixed.push(whole);
    }
    return mixed;
  });
}

async function expectIsolated(page: Page, ...shown: string[]): Promise<void> {
  for (const text of shown) await expect(main(page).getByText(text).first()).toBeVisible();
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect.soft(await mixedLines(page), `${page.url()} at ${width} px`).toEqual([]);
  }
}

test('right-to-left text that a customer typed does not change the order of the text beside it', async ({
  page,
  backend,
}) => {
  const customer = await backend.customer(name);
  const service = await backend.service(customer, words);
  const review = { serviceId: service.id, review: 'באו בזמן', rating: 4, date: 'ה׳ בכסלו', time: 'שש בערב' };
  const written = await backend.call('/review', { method: 'POST', json: review, bearer: customer.token });
  const { insertedId }: InsertResult = await written.json();
  const edit = { method: 'PATCH', json: { rating: 5 }, bearer: customer.token };
  expect(await backend.call(`/review/${insertedId}`, edit)).toMatchObject({ status: 200 });

  await openSignedIn(page, customer, '/account');
  await expectIsolated(page, name);
  await page.goto(`/services/${service.id}`);
  await expectIsolated(page, ...Object.values(words), name, review.review, review.date, review.time);
  await page.goto(`/services?q=${words.title}`);
  await expectIsolated(page, words.title, words.ratting);
  await page.goto('/services?q=זזזזז');
  await expectIsolated(page, 'Nothing found for “זזזזז”');
  await page.goto('/myreview');
  await expectIsolated(page, words.title, review.date, review.time);
  page.once('dialog', (dialog) => dialog.accept());
  await main(page)
    .getByRole('button', { name: /^Delete/ })
    .click();
  await expectIsolated(page, `Your review of ${words.title} is deleted.`);
});
