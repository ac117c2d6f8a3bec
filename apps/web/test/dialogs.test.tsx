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
])('a dialog stays open when the mouse button is pressed %s and released %s the dialog', async (start) => {
  const { dialog } = await openDialog();
  const field = screen.getByLabelText('Email', { selector: 'dialog input' });
  fireEvent.mouseDown(start === 'inside' ? field : dialog);
  fireEvent.mouseUp(start === 'inside' ? dialog : field);
  // If the mouse button is pressed on one element and released on another, the browser fires the click on their nearest
  // common ancestor. Here this is the dialog, which is also the target of events on the backdrop.
  fireEvent.click(dialog);
  expect(dialog.isConnected).toBe(true);
});

test('a dialog closes when the mouse button is pressed and released outside the dialog', async () => {
  const { dialog } = await openDialog();
  fireEvent.mouseDown(dialog);
  fireEvent.mouseUp(dialog);
  fireEvent.click(dialog);
  expect(dialog.isConnected).toBe(false);
});

test('a dialog cannot be closed while its form is being sent, so that the customer sees the result', async () => {
  const asked = Promise.withResolvers<void>();
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  api.use(
    http.post(providerCall('sendOobCode'), async () => {
      asked.resolve();
      await isReleased;
    }),
  );
  const { user, dialog } = await openDialog();
  await user.fill(screen.getByLabelText('Email', { selector: 'dialog input' }), 'nobody@example.com');
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
