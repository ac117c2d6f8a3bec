import { type ComponentType, lazy, Suspense } from 'react';
import { retryOnce } from '../lib/retry.ts';
import type { Kind, ToastOptions } from './toaster.tsx';

// The toast library is loaded after the first page is rendered, because that page never shows a toast at its start.
const library = () => retryOnce(() => import('./toaster.tsx'));
const Toaster = lazy<ComponentType>(() =>
  library().then(
    (loaded) => ({ default: loaded.Toaster }),
    // If the library does not load, the app works without toasts, because errors are also shown where they belong.
    () => ({ default: () => null }),
  ),
);

const showToast = (kind: Kind) => (message: string | string[], options?: ToastOptions) => {
  library().then(
    ({ show }) => show(kind, message, options),
    () => {},
  );
};

/** A loading toast is shown only for calls that take longer than this. */
const toastDelayMs = 1000;

/** Shows toasts. A toast replaces those with the same `id`, such as the error of an earlier attempt. */
export const toast = {
  blank: showToast('blank'),
  success: showToast('success'),
  error: showToast('error'),
  loading: showToast('loading'),
  custom: showToast('custom'),
  dismiss: (id: string) => {
    library().then(
      ({ dismiss }) => dismiss(id),
      () => {},
    );
  },
  /** Shows `message` while `work` takes long. A toast about the result replaces it if it has the same `id`. */
  async during<T>(work: Promise<T>, message: string, id: string): Promise<T> {
    let isShown = false;
    const timer = setTimeout(() => {
      isShown = true;
      toast.loading(message, { id });
    }, toastDelayMs);
    try {
      return await work;
    } finally {
      clearTimeout(timer);
      if (isShown) toast.dismiss(id);
    }
  },
};

/** Renders the toasts. It is used only once, in the layout. */
export function Toasts() {
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
