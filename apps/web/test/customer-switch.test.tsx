import { screen, waitFor, within } from '@testing-library/react';
import { HttpResponse, http } from 'msw';
import { expect, test } from 'vitest';
import { api, bearerOf, customer, signedIn, storeProviderSession, subjectOf } from './support/api.ts';
import { inAnotherTab, open, toastOf } from './support/app.tsx';

/** Fakes the API route that deletes the account. Returns the uids of the deleted customers. */
function fakeDeletion(): string[] {
  const deleted: string[] = [];
  api.use(
    http.get('/api/review', () => HttpResponse.json([])),
    http.delete('/api/account', ({ request }) => {
      deleted.push(subjectOf(bearerOf(request) ?? ''));
      return HttpResponse.json({ acknowledged: true, deletedCount: 0 });
    }),
  );
  return deleted;
}

async function openDialog({ user }: Awaited<ReturnType<typeof open>>) {
  await user.click(await screen.findByRole('button', { name: 'Delete my account' }));
  return within(screen.getByRole('dialog', { name: 'Delete your account' }));
}

test('the dialog that deletes the account closes when another customer logs in in another tab', async () => {
  await signedIn();
  const second = await customer();
  const deleted = fakeDeletion();
  const app = await open('/account');
  await openDialog(app);
  inAnotherTab(() => storeProviderSession(second));
  await screen.findByText(second.email);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(deleted).toEqual([]);

  const dialog = await openDialog(app);
  await app.user.click(dialog.getByRole('button', { name: 'Delete my account' }));
  expect(await toastOf('Your account is deleted.')).toBe('success');
  await waitFor(() => expect(app.session.getState().user).toBeNull());
  expect(deleted).toEqual([second.uid]);
});
