import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Dialog } from '../src/ui/dialog.tsx';
import { MessageOutlet, MessageOutlets } from '../src/ui/message-outlet.tsx';
import { Toasts, toast } from '../src/ui/toasts.tsx';

const shown = () => [...document.querySelectorAll('[data-toast] p')].map(({ textContent }) => textContent);
const region = (kind: 'polite' | 'assertive') => document.querySelector(`[aria-live=${kind}]`);

const page = (dialog?: ReactNode) => (
  <MessageOutlets>
    <MessageOutlet isPage className="" />
    <Toasts />
    {dialog}
  </MessageOutlets>
);
let rerender: ReturnType<typeof render>['rerender'];

beforeEach(async () => {
  await act(async () => {
    ({ rerender } = render(page()));
    await vi.dynamicImportSettled();
  });
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
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
] as const)('a %s toast stands for %d milliseconds', async (kind, duration) => {
  await show(kind, 'Said');
  expect(shown()).toEqual(['Said']);
  pass(duration - 1);
  expect(shown()).toEqual(['Said']);
  pass(1);
  expect(shown()).toEqual([]);
});

test('a loading toast stands until its result takes its place', async () => {
  await show('loading', 'Saving', 'save');
  pass(600_000);
  expect(shown()).toEqual(['Saving']);
  await show('success', 'Saved', 'save');
  expect(shown()).toEqual(['Saved']);
  pass(2000);
  expect(shown()).toEqual([]);
});

test.each([
  ['standing', [1999]],
  ['just gone', [2000, 999]],
] as const)(
  'what takes the place of one that is %s outlives its clocks, however busy the page is',
  async (_, steps) => {
    await show('success', 'Deleted', 'review');
    for (const step of steps) pass(step);
    await act(async () => {
      toast.success('Back', { id: 'review' });
      await vi.dynamicImportSettled();
      // Before the page has drawn it.
      vi.advanceTimersByTime(1);
    });
    expect(shown()).toEqual(['Back']);
    pass(1998);
    expect(shown()).toEqual(['Back']);
  },
);

describe('work under way', () => {
  /** Work that ends when told to. */
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

  test('is spoken of after a second, and its result takes that place', async () => {
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

  test('that is soon done is not spoken of', async () => {
    const { end } = begin();
    await passOn(999);
    await end();
    await passOn(60_000);
    expect(shown()).toEqual([]);
  });

  test('that fails is no longer said to go on, though nothing takes its place', async () => {
    const { seen, fail } = begin();
    await passOn(1000);
    const error = new Error('A surprise');
    await fail(error);
    await passOn(0);
    expect(await seen).toBe(error);
    expect(shown()).toEqual([]);
  });
});

test('at most 20 stand: the 21st pushes out the first', async () => {
  for (let at = 1; at <= 21; at += 1) await show('blank', `Toast ${at}`);
  expect(shown()).toHaveLength(20);
  expect(shown()).not.toContain('Toast 1');
  expect(shown()).toContain('Toast 21');
});

test('they come into regions that were there before them, errors into the assertive one', async () => {
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
  /** The toast's region, and whether the toast is read out when it appears there. */
  const toast = () => {
    const toasts = [...document.querySelectorAll('[data-toast]')];
    expect(toasts).toHaveLength(1);
    const [element] = toasts;
    const live = element?.closest('[aria-live]:not([data-toast])');
    return { isInDialog: live?.closest('dialog') !== null, isRead: element?.getAttribute('aria-live') !== 'off' };
  };

  test('moves there and back without being read out again', async () => {
    await show('loading', 'Saving');
    expect(toast()).toEqual({ isInDialog: false, isRead: true });
    pass(1001);
    openDialog();
    expect(toast()).toEqual({ isInDialog: true, isRead: false });
    rerender(page());
    expect(toast()).toEqual({ isInDialog: false, isRead: false });
  });

  test('is read out where it moves when it is so new that it may have been cut off', async () => {
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

test('one that had the focus gives it back to where it was', async () => {
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

test('one is dismissed by its button', async () => {
  await show('loading', 'Saving');
  vi.useRealTimers();
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
  await waitFor(() => expect(shown()).toEqual([]));
});

test('one may offer something to do', async () => {
  const onPress = vi.fn();
  await act(async () => {
    toast.custom('Something new is here', { action: { label: 'Look', onPress } });
    await vi.dynamicImportSettled();
  });
  expect(shown()).toEqual(['Something new is here']);
  act(() => screen.getByRole('button', { name: 'Look' }).click());
  expect(onPress).toHaveBeenCalledOnce();
});

test('they wait for the focus to leave them', async () => {
  await show('custom', 'Said');
  act(() => screen.getByRole('button', { name: 'Dismiss' }).focus());
  pass(60_000);
  expect(shown()).toEqual(['Said']);
  act(() => screen.getByRole('button', { name: 'Dismiss' }).blur());
  pass(4000);
  expect(shown()).toEqual([]);
});

test('they wait for the focus also when the pointer passes over them', async () => {
  await show('custom', 'Said');
  const dismiss = screen.getByRole('button', { name: 'Dismiss' });
  const messages = screen.getByRole('region', { name: 'Messages' });
  act(() => dismiss.focus());
  fireEvent.mouseEnter(messages);
  fireEvent.mouseLeave(messages);
  pass(60_000);
  expect(shown()).toEqual(['Said']);
  act(() => dismiss.blur());
  pass(4000);
  expect(shown()).toEqual([]);
});

test('once the one that had the focus is dismissed, the others go on', async () => {
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
