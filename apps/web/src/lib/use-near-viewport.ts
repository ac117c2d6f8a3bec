import { type RefObject, useEffect, useEffectEvent } from 'react';

interface NearOptions {
  /** Whether to observe the element. If the element is near when the observation starts, `onNear` is called at once. */
  isActive?: boolean;
  /** The observation starts again whenever `restartKey` changes. */
  restartKey?: unknown;
  /** Whether to call `onNear` immediately in a browser without IntersectionObserver. */
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
    // A busy browser reports several changes together. The last change contains the current state.
    const observer = new IntersectionObserver((changes) => changes.at(-1)?.isIntersecting && notify(), {
      rootMargin: '600px',
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- another key starts another observer
  }, [ref, isActive, restartKey, assumeNear]);
}
