import { useState } from 'react';
import { useActionData } from 'react-router-dom';
import { useFirstError } from './use-first-error.ts';

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
