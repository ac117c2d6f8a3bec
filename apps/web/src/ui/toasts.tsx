import { type ComponentType, lazy, Suspense } from 'react';
import { retryOnce } from '../lib/retry.ts';
import type { Kind, ToastOptions } from './toaster.tsx';

// The library is loaded after the first page is rendered, which never shows a toast.
const library = () => retryOnce(() => import('./toaster.tsx'));
const Toaster = lazy<ComponentType>(() =>
  library().then(
    (loaded) => ({ default: loaded.Toaster }),
    // The app works without toasts: errors are also shown next to their subject.
    () => ({ default: () => null }),
  ),
);

const showToast = (kind: Kind) => (message: string | string[], options?: ToastOptions) => {
  library().then(
    ({ show }) => show(kind, message, options),
    () => {},
  );
};

/** Calls that are faster show no loading toast. */
const toastDelayMs = 1000;

/** Shows a toast. It replaces the toasts with the same `id`, such as the error of an earlier attempt. */
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
  /** Shows `message` while `work` takes long. A toast about its result replaces it by the same `id`. */
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

/** Renders the toasts. Used once, in the layout. */
export function Toasts() {
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
