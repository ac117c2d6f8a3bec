import type { ReactNode } from 'react';
import { ErrorText } from './error-text.tsx';

/** The error of a form field, in a live region. `id` is the id of the error text. */
export function FieldError({ id, children }: { id: string; children: ReactNode }) {
  // A screen reader announces only a text that is added to an existing live region. So the region also exists without an
  // error.
  return (
    <div aria-live="polite" className="empty:absolute">
      {children && <ErrorText id={id}>{children}</ErrorText>}
    </div>
  );
}
