import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Toasts, toast } from '../src/ui/toasts.tsx';

const shown = () => [...document.querySelectorAll('[data-toast]')].map(({ textContent }) => textContent);
const region = (kind: 'polite' | 'assertive') => document.querySelector(`[aria-live=${kind}]`);

beforeEach(async () => {
  render(<Toasts />);
  await screen.findByRole('region', { name: 'Messages' });
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

test('one is dismissed by its button', async () => {
  await show('loading', 'Saving');
  vi.useRealTimers();
  act(() => screen.getByRole('button', { name: 'Dismiss' }).click());
  await waitFor(() => expect(shown()).toEqual([]));
});
