import { useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { To } from 'react-router-dom';
import { focusNeighborOnRemoval } from '../lib/focus.ts';
import { useHydrated } from '../lib/page-context.ts';
import { Alert } from './alert.tsx';
import { Button, ButtonLink } from './button.tsx';

const text = { more: 'Load more', retry: 'Try again' };

interface LoadMoreProps {
  pending: boolean;
  /** After a failure it no longer loads by itself: the button tries again. */
  failed: boolean;
  /** What to say of a failure, where nobody else says it. */
  failure?: string;
  onMore: () => void;
  /** Address of the next page, for browsers without JavaScript. */
  nextPage?: To;
}

/** The end of a list that goes on: more comes as it is scrolled near, or by its button. */
export function LoadMore({ pending, failed, failure, onMore, nextPage }: LoadMoreProps) {
  const hydrated = useHydrated();
  const end = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (end.current ? focusNeighborOnRemoval(end.current) : undefined), []);
  const near = useEffectEvent(() => {
    if (!pending && !failed) onMore();
  });
  // A new observer after each load, because an observer only reports changes: if someone scrolls to the new end before it
  // looks again, the end has been near all the time.
  useEffect(() => {
    if (pending || !end.current || typeof IntersectionObserver === 'undefined') return;
    // A busy browser tells of several moments at once: the last is now.
    const observer = new IntersectionObserver((moments) => moments.at(-1)?.isIntersecting && near(), {
      rootMargin: '600px',
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [pending]);
  return (
    <div ref={end} className="grid justify-center gap-4">
      {failed && failure && <Alert>{failure}</Alert>}
      {nextPage && !hydrated ? (
        <div ref={focusNeighborOnRemoval}>
          <ButtonLink tone="quiet" to={nextPage} rel="next">
            {text.more}
          </ButtonLink>
        </div>
      ) : (
        <Button tone="quiet" pending={pending} onClick={onMore}>
          {failed ? text.retry : text.more}
        </Button>
      )}
    </div>
  );
}
