import { useState } from 'react';

/**
 * Returns `value`, or its previous value while `isPending` is true. A retry resets the error of a query, but this function
 * keeps the error visible during the retry. Otherwise the alert would disappear and appear again, and a screen reader would
 * announce it after each retry.
 */
export function usePreviousWhilePending<T extends string | boolean>(value: T, isPending: boolean): T {
  const [settled, setSettled] = useState(value);
  if (isPending || settled === value) return settled;
  setSettled(value);
  return value;
}
