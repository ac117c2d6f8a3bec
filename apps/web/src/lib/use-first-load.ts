import { useState } from 'react';
import { useSettled } from './use-settled.ts';
import { useSingleFlight } from './use-single-flight.ts';

interface Query {
  data: unknown;
  isError: boolean;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

interface FirstLoad {
  /** Also while it is tried again. */
  hasFailed: boolean;
  /** Tries again because the customer asks for it. */
  retry: () => void;
  /** For a live region: the first load and what the customer asks for is announced, not what is tried by itself. */
  announcement: string;
}

/** How far the first load of a query is. One without data is also tried again by itself (query-client.ts). */
export function useFirstLoad(
  { data, isError, isFetching, refetch }: Query,
  said: { loading: string; failed: string },
): FirstLoad {
  const isMissing = data === undefined;
  const hasFailed = useSettled(isMissing && isError, isMissing && isFetching);
  const [hasRetried, setHasRetried] = useState(false);
  const [retry, isRetrying] = useSingleFlight(() => {
    setHasRetried(true);
    return refetch();
  });
  let announcement = '';
  if (isMissing && (isRetrying || !hasFailed)) announcement = said.loading;
  else if (hasFailed && hasRetried) announcement = said.failed;
  return { hasFailed, retry: () => void retry(), announcement };
}
