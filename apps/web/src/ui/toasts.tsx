import { type ComponentType, lazy, Suspense } from 'react';
import { retryOnce } from '../lib/retry.ts';
import type { Kind, LibraryIds, ToastOptions } from './toaster.tsx';

// The toast library is loaded after the first render, because no page shows a toast when it opens.
const library = () => retryOnce(() => import('./toaster.tsx'));
const Toaster = lazy<ComponentType>(() =>
  library().then(
    (loaded) => ({ default: loaded.Toaster }),
    // If the library does not load, there are no toasts. Customers still see every error, because the page itself shows it
    // too.
    () => ({ default: () => null }),
  ),
);

/** The delay before a loading toast is shown. */
const toastDelayMs = 1000;

/** Shows toasts. A new toast replaces the toasts with the same `id`, such as the error of the last attempt. */
export const toast = createToast();

function createToast() {
  const libraryIds: LibraryIds = new Map();
  const showToast = (kind: Kind) => (message: string | string[], options?: ToastOptions) => {
    library().then(
      ({ show }) => show(libraryIds, kind, message, options),
      () => {},
    );
  };
  const loading = showToast('loading');
  const dismiss = (id: string) => {
    library().then(
      (loaded) => loaded.dismiss(libraryIds, id),
      () => {},
    );
  };
  return {
    blank: showToast('blank'),
    success: showToast('success'),
    error: showToast('error'),
    custom: showToast('custom'),
    loading,
    /** If `work` takes longer than `toastDelayMs`, shows `message` until `work` ends. */
    async during<T>(work: Promise<T>, message: string, id: string): Promise<T> {
      let isShown = false;
      const timer = setTimeout(() => {
        isShown = true;
        loading(message, { id });
      }, toastDelayMs);
      try {
        return await work;
      } finally {
        clearTimeout(timer);
        if (isShown) dismiss(id);
      }
    },
  };
}

/** Renders the toasts. Only the layout uses this component. */
export function Toasts() {
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
