import { useEffect, useEffectEvent } from 'react';

/** Calls the function for each key that is pressed anywhere on the page. */
export function useKeyDown(onKeyDown: (event: KeyboardEvent) => void): void {
  const handle = useEffectEvent(onKeyDown);
  useEffect(() => {
    const listener = (event: KeyboardEvent) => handle(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
}
