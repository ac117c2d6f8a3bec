import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useLayoutEffect, useRef, useState } from 'react';
import type { To } from 'react-router-dom';
import { focusNeighborOnRemoval } from '../lib/focus.ts';
import type { Page } from '../lib/page.ts';
import { useHydrated } from '../lib/page-context.ts';
import { useNearViewport } from '../lib/use-near-viewport.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';
import { Alert } from './alert.tsx';
import { Button, ButtonLink } from './button.tsx';
import { LiveRegion } from './live-region.tsx';
import { commonText } from './texts.ts';

const text = { more: 'Load more', loading: 'Loading…' };

interface LoadMoreProps {
  list: Pick<
    UseInfiniteQueryResult<InfiniteData<Page<unknown>>>,
    'data' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >;
  /** The message that is shown if loading has failed. */
  failure: string;
  /** The address of the next page, for browsers without JavaScript. */
  nextPage?: To;
}

/**
 * The end of a list that has more pages. It loads the next page when it is near the visible part of the page, or by its
 * button.
 */
export function LoadMore({ list, failure, nextPage }: LoadMoreProps) {
  const { isFetchingNextPage: pending, isFetchNextPageError: failed } = list;
  const loadMore = () => list.fetchNextPage();
  const loadedCount = list.data?.pages.flatMap(({ rows }) => rows).length;
  const hydrated = useHydrated();
  const end = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (end.current ? focusNeighborOnRemoval(end.current) : undefined), []);
  // Restarts the observation after each load. An observer reports only changes, but the new end of the list may already be
  // near. The count is the key, because `pending` may never be rendered if loading is fast. After a failure, only the button
  // loads more.
  useNearViewport(end, () => !failed && void loadMore(), { isActive: !pending, restartKey: loadedCount });
  // The number of loaded rows when the customer clicked the button after a failure. If the retry fails too, a live region
  // announces it, because the alert itself stays during a retry.
  const [retriedCount, setRetriedCount] = useState<number>();
  const [retry, isRetrying] = useSingleFlight(() => {
    setRetriedCount(loadedCount);
    return loadMore();
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
        <Button tone="quiet" pending={pending} onClick={() => void (failed ? retry() : loadMore())}>
          {failed ? commonText.tryAgain : text.more}
        </Button>
      )}
    </div>
  );
}
