import { type ComponentProps, lazy, Suspense } from 'react';
import { onDemand } from '../lib/on-demand.ts';

const Lightbox = lazy(onDemand(async () => ({ default: (await import('./lightbox.tsx')).Lightbox })));

/** The dialog with an enlarged picture. Its script loads when the dialog opens. */
export function LightboxOnDemand(props: ComponentProps<typeof Lightbox>) {
  return (
    <Suspense>
      <Lightbox {...props} />
    </Suspense>
  );
}
