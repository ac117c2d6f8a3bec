import { fireEvent, screen, waitFor } from '@testing-library/react';
import { http } from 'msw';
import { expect, test } from 'vitest';
import { api, providerCall } from './support/api.ts';
import { open } from './support/app.tsx';

async function openDialog() {
  const app = await open('/login');
  await app.user.click(await screen.findByRole('button', { name: 'Forgot password?' }));
  return { ...app, dialog: screen.getByRole('dialog') };
}

test.each([
  ['inside', 'outside'],
  ['outside', 'inside'],
])('a dialog stays open when a press begins %s and ends %s', async (start) => {
  const { dialog } = await openDialog();
  const field = screen.getByLabelText('Email', { selector: 'dialog input' });
  fireEvent.mouseDown(start === 'inside' ? field : dialog);
  fireEvent.mouseUp(start === 'inside' ? dialog : field);
  // The browser fires the click on the nearest common ancestor. For a press on the backdrop, the target is the dialog.
  fireEvent.click(dialog);
  expect(dialog.isConnected).toBe(true);
});

test('a dialog closes when a press begins and ends outside', async () => {
  const { dialog } = await openDialog();
  fireEvent.mouseDown(dialog);
  fireEvent.mouseUp(dialog);
  fireEvent.click(dialog);
  expect(dialog.isConnected).toBe(false);
});

test('a dialog stays open until its form is sent, so that the customer sees the result', async () => {
  const asked = Promise.withResolvers<void>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  api.use(
    http.post(providerCall('sendOobCode'), async () => {
      asked.resolve();
      await isReleased;
    }),
  );
  const { user, dialog } = await openDialog();
  await user.type(screen.getByLabelText('Email', { selector: 'dialog input' }), 'nobody@example.com');
  await user.click(screen.getByRole('button', { name: 'Send the link' }));
  await asked.promise;
  const close = screen.getByRole('button', { name: 'Close' });
  await waitFor(() => expect(close.getAttribute('aria-disabled')).toBe('true'));
  fireEvent.click(close);
  fireEvent(dialog, new Event('cancel', { cancelable: true }));
  fireEvent.mouseDown(dialog);
  fireEvent.click(dialog);
  expect(dialog.isConnected).toBe(true);
  release();
  await screen.findByText('Demo: the link is printed in the terminal.');
  await user.click(close);
  expect(dialog.isConnected).toBe(false);
});
