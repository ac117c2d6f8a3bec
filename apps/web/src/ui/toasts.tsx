import { type ComponentType, lazy, Suspense } from 'react';
import type { Kind } from './toaster.tsx';

// The library comes right after the first page is drawn, which never shows a toast.
const library = () => import('./toaster.tsx');
const Toaster = lazy<ComponentType>(() =>
  library().then(
    (loaded) => ({ default: loaded.Toaster }),
    // Without it the app goes on: what went wrong also stands beside what it concerns.
    () => ({ default: () => null }),
  ),
);

const say = (kind: Kind) => (message: string, options?: { id?: string }) => {
  library().then(
    ({ show }) => show(kind, message, options),
    () => {},
  );
};

/** The one way to show a toast. Given the `id` of one that stands, it takes that one's place. */
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
};

/** Where toasts stand: once, in the layout. */
export function Toasts() {
  return (
    <Suspense>
      <Toaster />
    </Suspense>
  );
}
