import { type RefObject, useEffect, useEffectEvent, useRef } from 'react';

/** Calls `onNear` when the element comes near the window; at once where that cannot be told. */
export function useNear<T extends Element>(onNear: () => void): RefObject<T | null> {
  const ref = useRef<T>(null);
  const come = useEffectEvent(onNear);
  useEffect(() => {
    if (!ref.current) return;
    if (typeof IntersectionObserver === 'undefined') return come();
    // A busy browser tells of several moments at once: the last is now.
    const observer = new IntersectionObserver((moments) => moments.at(-1)?.isIntersecting && come(), {
      rootMargin: '600px',
    });
    observer.observe(ref.current);
    return () => observer.disconnect();
  }, []);
  return ref;
}
