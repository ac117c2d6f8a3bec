import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useLocation } from 'react-router-dom';
import { useHttp } from '../../lib/http-context.ts';
import { newsCountQuery } from './count-query.ts';

/**
 * Returns the number of new entries. It is requested once for each page that the customer opens, and when the customer
 * returns to the tab.
 */
export function useNewsCount(isSignedIn: boolean): number {
  const { data, refetch } = useQuery({ ...newsCountQuery(useHttp()), enabled: isSignedIn });
  const { pathname } = useLocation();
  useEffect(() => {
    // On the first page, the query itself has already sent the request. `cancelRefetch: false` prevents a second one.
    if (isSignedIn) void refetch({ cancelRefetch: false });
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- counts again on each page
  }, [isSignedIn, pathname, refetch]);
  return isSignedIn ? (data?.row.count ?? 0) : 0;
}
