import { type RefObject, useEffect, useEffectEvent } from 'react';

interface NearOptions {
  /** Observes only while true. Each start reports an element that is near already. */
  isActive?: boolean;
  /** Starts again when this value changes. */
  restartKey?: unknown;
  /** Whether to call `onNear` at once in a browser without IntersectionObserver. */
  assumeNear?: boolean;
}

/** Calls `onNear` when the element comes within 600 pixels of the viewport. */
export function useNearViewport(
  ref: RefObject<Element | null>,
  onNear: () => void,
  { isActive = true, restartKey, assumeNear = false }: NearOptions = {},
): void {
  const notify = useEffectEvent(onNear);
  useEffect(() => {
    if (!isActive || !ref.current) return;
    if (typeof IntersectionObserver === 'undefined') {
      if (assumeNear) notify();
      return;
    }
    // A busy browser reports several changes at once. The last one is the current state.
    const observer = new IntersectionObserver((changes) => changes.at(-1)?.isIntersecting && notify(), {
      rootMargin: '600px',
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another key starts another observer
  }, [ref, isActive, restartKey, assumeNear]);
}
