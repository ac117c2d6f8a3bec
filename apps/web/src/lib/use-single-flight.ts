import { startTransition, useEffect, useRef, useState } from 'react';

/**
 * Returns a function `run` that calls `act`, and ignores further calls until `act` has finished. This check is
 * synchronous, because a second click can come before React has rendered the pending state. `pending` is reset in a
 * transition, because the router renders its results in a transition. So `pending` stays true until the result is
 * rendered.
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
