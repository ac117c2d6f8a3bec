import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useHttp } from '../../lib/http-context.ts';
import { newsCountQuery } from './count-query.ts';

/** The pages on which a customer waits for reviews and messages of other people. */
const polledPages = /^\/(?:requests|news|myservices)\/?$/i;
/** The time between two requests on these pages. It leaves a second for the response, so that the number appears within 5 s. */
const pollMs = 4000;

/**
 * Returns the number of new entries. It is requested once for each page that the customer opens, when the customer returns to
 * the tab, and every few seconds while one of `polledPages` is visible.
 */
export function useNewsCount(isSignedIn: boolean): number {
  const { pathname } = useLocation();
  const { data, refetch } = useQuery({
    ...newsCountQuery(useHttp()),
    enabled: isSignedIn,
    refetchInterval: polledPages.test(pathname) && pollMs,
  });
  useEffect(() => {
    // On the first page, the query itself has already sent the request. `cancelRefetch: false` prevents a second one.
    if (isSignedIn) void refetch({ cancelRefetch: false });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- counts again on each page
  }, [isSignedIn, pathname, refetch]);
  return isSignedIn ? (data?.row.count ?? 0) : 0;
}
