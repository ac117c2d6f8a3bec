import { useState } from 'react';
import { useActionData } from 'react-router-dom';
import { useFirstError } from './use-first-error.ts';

/**
 * Returns the result of the last submission of this form to the action of its route, and focuses the first invalid field.
 * After Start over has mounted the form again, the router still has the earlier result, which is then ignored.
 */
export function useActionResult<Action>() {
  const data = useActionData<Action>();
  const [earlier] = useState(data);
  const result = data === earlier ? undefined : data;
  useFirstError(result);
  return result;
}
