import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { Dialog } from '../src/ui/dialog.tsx';
import { MessageContainer, MessageContainerProvider } from '../src/ui/message-container.tsx';
import { Toasts, toast } from '../src/ui/toasts.tsx';

const shown = () => [...document.querySelectorAll('[data-toast] p')].map(({ textContent }) => textContent);
const region = (kind: 'polite' | 'assertive') => document.querySelector(`[aria-live=${kind}]`);

const page = (dialog?: ReactNode) => (
  <MessageContainerProvider>
    <MessageContainer isPage className="" />
    <Toasts />
    {dialog}
  </MessageContainerProvider>
);
let rerender: ReturnType<typeof render>['rerender'];

beforeEach(async () => {
  await act(async () => {
    ({ rerender } = render(page()));
    await vi.dynamicImportSettled();
  });
  vi.useFakeTimers();
});

const show = async (kind: 'blank' | 'success' | 'error' | 'loading' | 'custom', message: string, id?: string) => {
  await act(async () => {
    toast[kind](message, id === undefined ? {} : { id });
    await vi.dynamicImportSettled();
  });
};
const pass = (milliseconds: number) =>
  act(() => {
    vi.advanceTimersByTime(milliseconds);
  });

test.each([
  ['blank', 4000],
  ['error', 4000],
  ['success', 2000],
  ['custom', 4000],
] as const)('a toast of the kind “%s” is shown for %d milliseconds', async (kind, duration) => {
  await show(kind, 'Said');
  expect(shown()).toEqual(['Said']);
  pass(duration - 1);
  expect(shown()).toEqual(['Said']);
  pass(1);
  expect(shown()).toEqual([]);
});

test('a loading toast is shown until a toast with the result replaces it', async () => {
  await show('loading', 'Saving', 'save');
  pass(600_000);
  expect(shown()).toEqual(['Saving']);
  await show('success', 'Saved', 'save');
  expect(shown()).toEqual(['Saved']);
  pass(2000);
  expect(shown()).toEqual([]);
});

test.each([
  ['is still shown', [1999]],
  ['has just disappeared', [2000, 999]],
] as const)(
  'a toast stays for its full duration when it replaces a toast that %s, even on a busy page',
  async (_, steps) => {
    await show('success', 'Deleted', 'review');
    for (const step of steps) pass(step);
    await act(async () => {
      toast.success('Back', { id: 'review' });
      await vi.dynamicImportSettled();
      // Simulates a busy page, on which 1 ms passes before React renders the toast.
      vi.advanceTimersByTime(1);
    });
    expect(shown()).toEqual(['Back']);
    pass(1998);
    expect(shown()).toEqual(['Back']);
  },
);

describe('an operation that may show a loading toast', () => {
  /** Starts an operation that ends when the test calls `end` or `fail`. */
  const begin = () => {
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const seen = toast.during(promise, 'Saving…', 'save').catch((error: unknown) => error);
    return {
      seen,
      end: () => act(async () => resolve('done')),
      fail: (error: Error) => act(async () => reject(error)),
    };
  };
  const passOn = async (milliseconds: number) => {
    pass(milliseconds);
    await act(() => vi.dynamicImportSettled());
  };

  test('shows a loading toast after a second, and the toast with the result replaces it', async () => {
    const { seen, end } = begin();
    await passOn(999);
    expect(shown()).toEqual([]);
    await passOn(1);
    expect(shown()).toEqual(['Saving…']);
    await passOn(60_000);
    expect(shown()).toEqual(['Saving…']);
    await end();
    await show('success', 'Saved', 'save');
    expect(await seen).toBe('done');
    expect(shown()).toEqual(['Saved']);
    pass(2000);
    expect(shown()).toEqual([]);
  });

  test('shows no loading toast if the operation ends within a second', async () => {
    const { end } = begin();
    await passOn(999);
    await end();
    await passOn(60_000);
    expect(shown()).toEqual([]);
  });

  test('removes its loading toast when it fails, even if no other toast replaces the loading toast', async () => {
    const { seen, fail } = begin();
    await passOn(1000);
    const error = new Error('A surprise');
    await fail(error);
    await passOn(0);
    expect(await seen).toBe(error);
    expect(shown()).toEqual([]);
  });
});

test('at most 20 toasts are shown at the same time, and the 21st removes the first', async () => {
  for (let at = 1; at <= 21; at += 1) await show('blank', `Toast ${at}`);
  expect(shown()).toHaveLength(20);
  expect(shown()).not.toContain('Toast 1');
  expect(shown()).toContain('Toast 21');
});

test('toasts appear in live regions that already exist: errors in the assertive region, others in the polite one', async () => {
  const [polite, assertive] = [region('polite'), region('assertive')];
  await show('success', 'Saved');
  await show('error', 'Not saved');
  expect([region('polite'), region('assertive')]).toEqual([polite, assertive]);
  expect(polite?.textContent).toBe('Saved');
  expect(assertive?.textContent).toBe('Not saved');
});

describe('a toast that is shown while a dialog opens or closes', () => {
  const openDialog = () =>
    rerender(
      page(
        <Dialog title="Set a new password" onClose={() => {}}>
          We send you a link.
        </Dialog>,
      ),
    );
  /** Returns whether the toast is in the dialog, and whether a screen reader announces it there. */
  const toast = () => {
    const toasts = [...document.querySelectorAll('[data-toast]')];
    expect(toasts).toHaveLength(1);
    const [element] = toasts;
    const live = element?.closest('[aria-live]:not([data-toast])');
    return { isInDialog: live?.closest('dialog') !== null, isRead: element?.getAttribute('aria-live') !== 'off' };
  };

  test('moves to the dialog and back without being announced again', async () => {
    await show('loading', 'Saving');
    expect(toast()).toEqual({ isInDialog: false, isRead: true });
    pass(1001);
    openDialog();
    expect(toast()).toEqual({ isInDialog: true, isRead: false });
    rerender(page());
    expect(toast()).toEqual({ isInDialog: false, isRead: false });
  });

  test('is announced again if the dialog closes within a second, because the screen reader may not have finished', async () => {
    openDialog();
    pass(5000);
    const regions = [...document.querySelectorAll('dialog [aria-live]')];
    await show('loading', 'Deleting');
    expect(regions).toContain(document.querySelector('[data-toast]')?.parentElement);
    expect(toast()).toEqual({ isInDialog: true, isRead: true });
    pass(500);
    rerender(page());
    expect(toast()).toEqual({ isInDialog: false, isRead: true });
  });
});

test('dismissing a focused toast returns the focus to the element that was focused before', async () => {
  render(<input aria-label="Name" />);
  const field = screen.getByLabelText('Name');
  await show('blank', 'Draft kept');
  field.focus();
  const dismiss = screen.getByRole('button', { name: 'Dismiss' });
  act(() => dismiss.focus());
  await act(async () => dismiss.click());
  expect(shown()).toEqual([]);
  expect(document.activeElement).toBe(field);
});

test('the button Dismiss removes a toast', async () => {
  await show('loading', 'Saving');
  vi.useRealTimers();
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
  await waitFor(() => expect(shown()).toEqual([]));
});

test('a toast can have a button that runs an action', async () => {
  const onPress = vi.fn();
  await act(async () => {
    toast.custom('Something new is here', { action: { label: 'Look', onPress } });
    await vi.dynamicImportSettled();
  });
  expect(shown()).toEqual(['Something new is here']);
  act(() => screen.getByRole('button', { name: 'Look' }).click());
  expect(onPress).toHaveBeenCalledOnce();
});

test('a toast does not disappear while it has the focus', async () => {
  await show('custom', 'Said');
  act(() => screen.getByRole('button', { name: 'Dismiss' }).focus());
  pass(60_000);
  expect(shown()).toEqual(['Said']);
  act(() => screen.getByRole('button', { name: 'Dismiss' }).blur());
  pass(4000);
  expect(shown()).toEqual([]);
});

test('a focused toast does not disappear even after the pointer enters and leaves the toasts', async () => {
  await show('custom', 'Said');
  const dismiss = screen.getByRole('button', { name: 'Dismiss' });
  const messages = screen.getByRole('region', { name: 'Notifications' });
  act(() => dismiss.focus());
  fireEvent.mouseEnter(messages);
  fireEvent.mouseLeave(messages);
  pass(60_000);
  expect(shown()).toEqual(['Said']);
  act(() => dismiss.blur());
  pass(4000);
  expect(shown()).toEqual([]);
});

test('after the focused toast is dismissed, the timers of the other toasts continue', async () => {
  await show('blank', 'One');
  await show('loading', 'Two');
  const [dismiss] = screen.getAllByRole('button', { name: 'Dismiss' });
  act(() => {
    dismiss?.focus();
    dismiss?.click();
  });
  pass(4000);
  expect(shown()).toEqual([]);
});
