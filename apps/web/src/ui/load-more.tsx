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

const text = { more: 'Load more' };

interface LoadMoreProps {
  list: Pick<
    UseInfiniteQueryResult<InfiniteData<Page<unknown>>>,
    'data' | 'isFetchingNextPage' | 'isFetchNextPageError' | 'fetchNextPage'
  >;
  failure: string;
  /** The address of the next page, for browsers without JavaScript. */
  nextPage?: To;
}

/**
 * The end of a list that has more rows. More rows are loaded when the customer scrolls near this end or clicks the
 * button.
 */
export function LoadMore({ list, failure, nextPage }: LoadMoreProps) {
  const { isFetchingNextPage: pending, isFetchNextPageError: failed } = list;
  const loadMore = () => list.fetchNextPage();
  const loadedCount = list.data?.pages.flatMap(({ rows }) => rows).length;
  const hydrated = useHydrated();
  const end = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => (end.current ? focusNeighborOnRemoval(end.current) : undefined), []);
  // If the end of the list is still near after rows were added, more rows must load. An IntersectionObserver reports only
  // changes, so it must restart after each load. `isActive` alone does not always restart it: if loading is fast, React may
  // never render with `pending` set. So the number of rows is the `restartKey`.
  useNearViewport(end, () => !failed && void loadMore(), { isActive: !pending, restartKey: loadedCount });
  // The number of loaded rows at the last click on the retry button. While the number is the same, the retry is running or
  // has failed. A live region announces this, because the alert stays visible and is not announced again.
  const [countAtRetry, setCountAtRetry] = useState<number>();
  const [retry, isRetrying] = useSingleFlight(() => {
    setCountAtRetry(loadedCount);
    return loadMore();
  });
  const announcement = isRetrying ? commonText.loading : failure;
  return (
    <div ref={end} className="grid justify-center gap-4">
      {failed && <Alert>{failure}</Alert>}
      <LiveRegion variant="hidden">{failed && countAtRetry === loadedCount && announcement}</LiveRegion>
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
