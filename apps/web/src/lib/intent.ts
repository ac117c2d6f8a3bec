import { useEffect, useEffectEvent } from 'react';
import { useLocation } from 'react-router-dom';

/** The history state of the page to which a visitor returns after the login. `intent` is what they wanted to do there. */
export const intentState = (intent: string) => ({ intent });

/** Returns what the customer wanted to do before the login, or undefined. */
export function intentIn(state: unknown): string | undefined {
  const intent = (state as { intent?: unknown } | null)?.intent;
  return typeof intent === 'string' ? intent : undefined;
}

/** Calls `act` if the customer wanted to do this before the login. Waits until `isReady` is true. */
export function useIntent(intent: string, isReady: boolean, act: () => void): void {
  const isIntended = intentIn(useLocation().state) === intent;
  const run = useEffectEvent(() => {
    // Removes the intent from the history entry, so that a reload of the page does not repeat it.
    history.replaceState({ ...(history.state as object | null), usr: null }, '');
    act();
  });
  useEffect(() => {
    if (isIntended && isReady) run();
  }, [isIntended, isReady]);
}
