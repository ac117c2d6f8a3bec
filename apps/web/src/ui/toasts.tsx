import { type ComponentType, lazy, Suspense } from 'react';
import { retryOnce } from '../lib/retry.ts';
import type { Kind, ToastOptions } from './toaster.tsx';

// The library comes right after the first page is drawn, which never shows a toast.
const library = () => retryOnce(() => import('./toaster.tsx'));
const Toaster = lazy<ComponentType>(() =>
  library().then(
    (loaded) => ({ default: loaded.Toaster }),
    // Without it the app goes on: what went wrong also stands beside what it concerns.
    () => ({ default: () => null }),
  ),
);

const say = (kind: Kind) => (message: string | string[], options?: ToastOptions) => {
  library().then(
    ({ show }) => show(kind, message, options),
    () => {},
  );
};

/** Milliseconds that work may take before it is spoken of. */
const patience = 1000;

/** The one way to show a toast. It replaces those that are shown under the same `id`, such as the error of an earlier attempt. */
export const toast = {
  blank: say('blank'),
  success: say('success'),
  error: say('error'),
  loading: say('loading'),
  custom: say('custom'),
  dismiss: (id: string) => {
    library().then(
      ({ dismiss }) => dismiss(id),
      () => {},
    );
  },
  /** Says `message` while `work` takes long. What is said of its result takes that toast's place by the same `id`. */
  async during<T>(work: Promise<T>, message: string, id: string): Promise<T> {
    let said = false;
    const clock = setTimeout(() => {
      said = true;
      toast.loading(message, { id });
    }, patience);
    try {
      return await work;
    } finally {
      clearTimeout(clock);
      if (said) toast.dismiss(id);
    }
  },
};

/** Where toasts stand: once, in the layout. */
export function Toasts() {
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
