import { useState } from 'react';
import { usePreviousWhilePending } from './use-previous-while-pending.ts';
import { useSingleFlight } from './use-single-flight.ts';

interface Query {
  data: unknown;
  isError: boolean;
  isFetching: boolean;
  refetch: () => Promise<unknown>;
}

interface FirstLoad {
  /** Whether the request has failed. It stays true during a retry. */
  hasFailed: boolean;
  /** Repeats the request. Call this when the customer clicks the retry button. */
  retry: () => void;
  /**
   * The text of a live region. It announces the first load, and each retry that the customer starts. It does not announce
   * automatic retries.
   */
  announcement: string;
}

/**
 * Returns the loading state of a query that has no data yet. After a temporary failure, the query client retries the
 * query automatically.
 */
export function useFirstLoad(
  { data, isError, isFetching, refetch }: Query,
  text: { loading: string; failed: string },
): FirstLoad {
  const isMissing = data === undefined;
  const hasFailed = usePreviousWhilePending(isMissing && isError, isMissing && isFetching);
  const [hasRetried, setHasRetried] = useState(false);
  const [retry, isRetrying] = useSingleFlight(() => {
    setHasRetried(true);
    return refetch();
  });
  let announcement = '';
  if (isMissing && (isRetrying || !hasFailed)) announcement = text.loading;
  else if (hasFailed && hasRetried) announcement = text.failed;
  return { hasFailed, retry: () => void retry(), announcement };
}
