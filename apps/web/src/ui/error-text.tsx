import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

/** An error beside the control that it is about. Unlike a toast, it does not disappear. */
export function ErrorText({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <p id={id} className="flex gap-2 text-small text-error">
      <Icon name="alert" size={20} />
      <span>{children}</span>
    </p>
  );
}
