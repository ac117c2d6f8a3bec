import { type BrowserContext, expect, type Page } from '@playwright/test';

interface Toast {
  kind: string;
  text: string;
}

const recorded = new WeakMap<Page, Toast[]>();

/** Returns the toasts that have appeared on this page, except for those that `expectToast` has already matched. */
function toastsOf(page: Page): Toast[] {
  const toasts = recorded.get(page) ?? [];
  recorded.set(page, toasts);
  return toasts;
}

/** Records each toast when it appears. Some toasts disappear after 2 s, so a test could miss them. */
export async function recordToasts(context: BrowserContext): Promise<void> {
  await context.exposeBinding('recordToast', ({ page }, toast: Toast) => void toastsOf(page).push(toast));
  await context.addInitScript(() => {
    const record = Reflect.get(window, 'recordToast') as (toast: Toast) => void;
    const isShown = (element: Element) => element.checkVisibility() && element.getBoundingClientRect().height > 0;
    const recordToastsIn = (element: Element) => {
      const toasts = [
        ...(element.matches('[data-toast]') ? [element] : []),
        ...element.querySelectorAll('[data-toast]'),
      ];
      for (const toast of toasts.filter(isShown))
        record({ kind: toast.getAttribute('data-toast') ?? '', text: toast.querySelector('p')?.textContent ?? '' });
    };
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
        if (node instanceof Element) recordToastsIn(node);
    }).observe(document, { childList: true, subtree: true });
  });
}

/**
 * Waits until a toast with this kind and text has appeared, even if it has disappeared since. A toast that has matched
 * one call does not match a later call.
 */
export async function expectToast(
  page: Page,
  kind: 'success' | 'error' | 'blank' | 'custom',
  text: string | RegExp,
): Promise<void> {
  const toasts = toastsOf(page);
  const isExpected = (toast: Toast) =>
    toast.kind === kind && (typeof text === 'string' ? toast.text === text : text.test(toast.text));
  const expectedText = typeof text === 'string' ? text : expect.stringMatching(text);
  await expect.poll(() => toasts, { message: 'toasts' }).toContainEqual({ kind, text: expectedText });
  toasts.splice(toasts.findIndex(isExpected), 1);
}
