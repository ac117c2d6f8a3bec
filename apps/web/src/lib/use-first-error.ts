import { useLayoutEffect } from 'react';

/** After the submission of a form, focuses its first invalid field, so that a screen reader announces the error. */
export function useFirstError(submission: unknown): void {
  useLayoutEffect(() => {
    if (submission) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
  }, [submission]);
}
