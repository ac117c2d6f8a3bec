import { startTransition, useEffect, useRef, useState } from 'react';

/**
 * Runs `act` once at a time: `run` does nothing until the run before it has settled. The check is synchronous, because a
 * second click can come before React has rendered the effect of the first. `pending` stays true until the outcome is
 * rendered: the router renders outcomes in transitions, so this state is reset in one too.
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
