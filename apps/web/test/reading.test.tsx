import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from './support/app.tsx';

test.each([
  ['About', '/about'],
  ['How reviews work', '/how-reviews-work'],
  ['Privacy', '/privacy'],
  ['Terms', '/terms'],
])('the footer link “%s” opens a page with this title and heading, and focuses the heading', async (name, path) => {
  const { user, address } = await open('/blogs');
  await user.click(within(screen.getByRole('contentinfo')).getByRole('link', { name }));
  const heading = await screen.findByRole('heading', { level: 1, name });
  expect(address()).toBe(path);
  await waitFor(() => expect(document.title).toBe(`${name} RTR Cloud Kitchen`));
  expect(document.activeElement).toBe(heading);
  expect(screen.getAllByRole('heading', { level: 1 })).toHaveLength(1);
});

test('the privacy page says which data is stored at Firebase, in the database, on the device and in the log, and for how long', async () => {
  await open('/privacy');
  const page = (await screen.findByRole('heading', { level: 1, name: 'Privacy' })).closest('article');
  for (const fact of [
    /Firebase Authentication/,
    /an access token that is valid for 1 hour/,
    /until you send or save them, start over, or sign out/,
    /light or dark theme/,
    /Two of the items are cookies/,
    /The cookie rtr-session/,
    /The cookie rtr-theme/,
    /erased about a day later/,
    /Our two servers log each request/,
    /We keep the ID of a deleted account/,
    /Those websites can see your IP address/,
    /A note about each review, reply, picture, service or message that we hide or restore/,
  ])
    expect(page?.textContent).toMatch(fact);
});
