import { type BrowserContext, expect, type Page } from '@playwright/test';

interface Toast {
  kind: string;
  text: string;
}

const appeared = new WeakMap<Page, Toast[]>();

/** Toasts that came to stand on this page and that no test has waited for yet. */
export function toastsOf(page: Page): Toast[] {
  const toasts = appeared.get(page) ?? [];
  appeared.set(page, toasts);
  return toasts;
}

/** Has every page note its toasts as they come: some go after 2 s, which a busy machine may let pass between two looks. */
export async function noteToasts(context: BrowserContext): Promise<void> {
  await context.exposeBinding('noteToast', ({ page }, toast: Toast) => void toastsOf(page).push(toast));
  await context.addInitScript(() => {
    const note = Reflect.get(window, 'noteToast') as (toast: Toast) => void;
    const isShown = (element: Element) => element.checkVisibility() && element.getBoundingClientRect().height > 0;
    const look = (element: Element) => {
      const toasts = [
        ...(element.matches('[data-toast]') ? [element] : []),
        ...element.querySelectorAll('[data-toast]'),
      ];
      for (const toast of toasts.filter(isShown))
        note({ kind: toast.getAttribute('data-toast') ?? '', text: toast.querySelector('p')?.textContent ?? '' });
    };
    new MutationObserver((changes) => {
      for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes])) if (node instanceof Element) look(node);
    }).observe(document, { childList: true, subtree: true });
  });
}

/** Waits until a toast of this kind with exactly this text has come, which may be gone again. Each is waited for once. */
export async function expectToast(
  page: Page,
  kind: 'success' | 'error' | 'blank' | 'custom',
  text: string | RegExp,
): Promise<void> {
  const toasts = toastsOf(page);
  const isMeant = (toast: Toast) =>
    toast.kind === kind && (typeof text === 'string' ? toast.text === text : text.test(toast.text));
  const said = typeof text === 'string' ? text : expect.stringMatching(text);
  await expect.poll(() => toasts, { message: 'toasts' }).toContainEqual({ kind, text: said });
  toasts.splice(toasts.findIndex(isMeant), 1);
}
