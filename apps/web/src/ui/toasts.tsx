import { type ComponentType, lazy, Suspense } from 'react';
import { retryOnce } from '../lib/retry.ts';
import type { Kind, ToastOptions } from './toaster.tsx';

// The toast library is loaded after the first render, because a page shows no toast when it opens.
const library = () => retryOnce(() => import('./toaster.tsx'));
const Toaster = lazy<ComponentType>(() =>
  library().then(
    (loaded) => ({ default: loaded.Toaster }),
    // If the library does not load, the app works without toasts. Every error is also shown on the page itself.
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

/** Shows toasts. A new toast replaces the toasts with the same `id`, such as the error of an earlier attempt. */
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
  /** If `work` takes long, shows `message` until `work` is finished. */
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

/** Renders the toasts. Use this component only once, in the layout. */
export function Toasts() {
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
