import { startTransition, useEffect, useRef, useState } from 'react';

/**
 * Ignores calls of `run` while `act` is running. The check is synchronous, because a second click can happen before React
 * has rendered the pending state. `pending` stays true until the result is rendered: the router renders results in
 * transitions, so `pending` is reset in a transition too.
 */
export function useSingleFlight<A extends unknown[]>(
  act: (...args: A) => Promise<unknown>,
): [run: (...args: A) => Promise<void>, pending: boolean] {
  const inFlight = useRef(false);
  const [status, setStatus] = useState({ pending: false });
  useEffect(() => {
    inFlight.current = status.pending;
  }, [status]);
  const run = async (...args: A) => {
    if (inFlight.current) return;
    inFlight.current = true;
    setStatus({ pending: true });
    try {
      await act(...args);
    } finally {
      startTransition(() => setStatus({ pending: false }));
    }
  };
  return [run, status.pending];
}
