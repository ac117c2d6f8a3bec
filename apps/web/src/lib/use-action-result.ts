import { useLayoutEffect, useState } from 'react';
import { useActionData } from 'react-router-dom';

/**
 * Returns the result of this form's last submission, and focuses the first invalid field. If the customer has clicked the
 * button 'Start over', the router still has the result of the previous form. The new form ignores this result.
 */
export function useActionResult<Action>() {
  const data = useActionData<Action>();
  const [earlier] = useState(data);
  const result = data === earlier ? undefined : data;
  useFirstError(result);
  return result;
}

/** After a submission, focuses the first invalid field of the form, so that a screen reader announces its error. */
export function useFirstError(submission: unknown): void {
  useLayoutEffect(() => {
    if (submission) document.querySelector<HTMLElement>('main [aria-invalid=true]')?.focus();
  }, [submission]);
}
