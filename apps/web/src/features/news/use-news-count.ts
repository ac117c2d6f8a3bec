import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useHttp } from '../../lib/http-context.ts';
import { newsCountQuery } from './count-query.ts';

/** The pages on which a customer waits for others. */
const waitingPages = /^\/(?:requests|news|myservices)\/?$/i;
/** The time between two requests on these pages. It leaves a second for the response, so that the mark appears within 5 s. */
const waitingPollMs = 4000;

/**
 * Returns the number of new entries. It is requested once for each page that the customer opens, when the customer returns to
 * the tab, and every few seconds while a page is visible on which the customer waits for others.
 */
export function useNewsCount(isSignedIn: boolean): number {
  const { pathname } = useLocation();
  const { data, refetch } = useQuery({
    ...newsCountQuery(useHttp()),
    enabled: isSignedIn,
    refetchInterval: waitingPages.test(pathname) && waitingPollMs,
  });
  useEffect(() => {
    // On the first page, the query itself has already sent the request. `cancelRefetch: false` prevents a second one.
    if (isSignedIn) void refetch({ cancelRefetch: false });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- counts again on each page
  }, [isSignedIn, pathname, refetch]);
  return isSignedIn ? (data?.row.count ?? 0) : 0;
}
