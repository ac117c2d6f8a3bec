import { useState } from 'react';

/**
 * Returns `value`, or its previous value while `isPending`. Use it for the error of a query, which is reset during a retry:
 * without it, the alert would be removed and added again, and a screen reader would announce it after each retry.
 */
export function usePreviousWhilePending<T extends string | boolean>(value: T, isPending: boolean): T {
  const [settled, setSettled] = useState(value);
  if (isPending || settled === value) return settled;
  setSettled(value);
  return value;
}
