import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useRef } from 'react';
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
  const countedOn = useRef(pathname);
  const recount = useEffectEvent(() => isSignedIn && void refetch());
  useEffect(() => {
    if (countedOn.current === pathname) return;
    countedOn.current = pathname;
    recount();
  }, [pathname]);
  return isSignedIn ? (data?.row.count ?? 0) : 0;
}
