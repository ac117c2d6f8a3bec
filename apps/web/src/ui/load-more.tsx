import { useEffect, useEffectEvent, useRef } from 'react';
import { Button } from './button.tsx';

interface LoadMoreProps {
  label: string;
  pending: boolean;
  /** After a failure it no longer loads by itself: the button tries again. */
  failed: boolean;
  onMore: () => void;
}

/** The end of a list that goes on: more comes as it is scrolled near, or by its button. */
export function LoadMore({ label, pending, failed, onMore }: LoadMoreProps) {
  const end = useRef<HTMLDivElement>(null);
  const near = useEffectEvent(() => {
    if (!pending && !failed) onMore();
  });
  useEffect(() => {
    if (!end.current || typeof IntersectionObserver === 'undefined') return;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && near(), { rootMargin: '600px' });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, []);
  return (
    <div ref={end} className="grid justify-center">
      <Button tone="quiet" pending={pending} onClick={onMore}>
        {label}
      </Button>
    </div>
  );
}
