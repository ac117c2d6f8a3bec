import { useLayoutEffect, useState } from 'react';
import { useActionData } from 'react-router-dom';

/**
 * Returns the result of this form's last submission, and focuses the first invalid field. If Start over has mounted the form
 * again, the router still has the result of the earlier form. This result is ignored.
 */
export function useActionResult<Action>() {
  const data = useActionData<Action>();
  const [earlier] = useState(data);
  const result = data === earlier ? undefined : data;
  useFirstError(result);
  return result;
}

/** After the submission of a form, focuses its first invalid field, so that a screen reader announces the error. */
export function useFirstError(submission: unknown): void {
  useLayoutEffect(() => {
    if (submission) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
  }, [submission]);
}
