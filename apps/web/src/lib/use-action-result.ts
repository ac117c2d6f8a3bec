import { useState } from 'react';
import { useActionData } from 'react-router-dom';
import { useFirstError } from './use-first-error.ts';

/**
 * The result of the last submission of this form to the action of its route. Focuses the first invalid field. The router keeps
 * the result when Start over mounts the form again, so a result from before is ignored.
 */
export function useActionResult<Action>() {
  const data = useActionData<Action>();
  const [earlier] = useState(data);
  const result = data === earlier ? undefined : data;
  useFirstError(result);
  return result;
}
