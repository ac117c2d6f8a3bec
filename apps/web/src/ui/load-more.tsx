import { useLayoutEffect, useRef, useState } from 'react';
import type { To } from 'react-router-dom';
import { focusNeighborOnRemoval } from '../lib/focus.ts';
import { useHydrated } from '../lib/page-context.ts';
import { useNearViewport } from '../lib/use-near-viewport.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';
import { Alert } from './alert.tsx';
import { Button, ButtonLink } from './button.tsx';
import { LiveRegion } from './live-region.tsx';
import { commonText } from './texts.ts';

const text = { more: 'Load more', loading: 'Loading…' };

interface LoadMoreProps {
  pending: boolean;
  /** The count of rows that are loaded. */
  loadedCount: number;
  /** After a failure only the button loads more. */
  failed: boolean;
  /** Shown after a failure. */
  failure: string;
  onMore: () => Promise<unknown>;
  /** Address of the next page, for browsers without JavaScript. */
  nextPage?: To;
}

/** The end of an incomplete list. It loads more when it is scrolled near, or by its button. */
export function LoadMore({ pending, loadedCount, failed, failure, onMore, nextPage }: LoadMoreProps) {
  const hydrated = useHydrated();
  const end = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (end.current ? focusNeighborOnRemoval(end.current) : undefined), []);
  // Observe again after each load: an observer reports only changes, but the new end may be near from the start. A fast
  // load may end before `pending` is rendered, but it always changes the count.
  useNearViewport(end, () => !failed && void onMore(), { isActive: !pending, restartKey: loadedCount });
  // The alert stays during a retry, so a screen reader would not announce that the page failed again.
  const [retriedCount, setRetriedCount] = useState<number>();
  const [retry, isRetrying] = useSingleFlight(() => {
    setRetriedCount(loadedCount);
    return onMore();
  });
  const announcement = isRetrying ? text.loading : failure;
  return (
    <div ref={end} className="grid justify-center gap-4">
      {failed && <Alert>{failure}</Alert>}
      <LiveRegion variant="hidden">{failed && retriedCount === loadedCount && announcement}</LiveRegion>
      {nextPage && !hydrated ? (
        <div ref={focusNeighborOnRemoval}>
          <ButtonLink tone="quiet" to={nextPage} rel="next">
            {text.more}
          </ButtonLink>
        </div>
      ) : (
        <Button tone="quiet" pending={pending} onClick={() => void (failed ? retry() : onMore())}>
          {failed ? commonText.tryAgain : text.more}
        </Button>
      )}
    </div>
  );
}
