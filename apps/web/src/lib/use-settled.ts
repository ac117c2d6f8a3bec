import { useState } from 'react';

/**
 * `value`, or while `isPending` its last value before. A query that is tried again has no error meanwhile, and an alert
 * that was removed and added for each try would be read out each time.
 */
export function useSettled<T extends string | boolean>(value: T, isPending: boolean): T {
  const [settled, setSettled] = useState(value);
  if (isPending || settled === value) return settled;
  setSettled(value);
  return value;
}
