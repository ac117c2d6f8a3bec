import { useEffect } from 'react';

/** If the submitted form has invalid fields, focuses the first one, so that a screen reader announces its error. */
export function useFirstError(submission: unknown): void {
  useEffect(() => {
    if (submission) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
  }, [submission]);
}
