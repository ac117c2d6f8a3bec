import { useEffect } from 'react';

/** Focuses the first invalid field of a submitted form, so that a screen reader announces its error. */
export function useFirstError(submission: unknown): void {
  useEffect(() => {
    if (submission) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
  }, [submission]);
}
