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
  /** Stays true during a retry. */
  hasFailed: boolean;
  /** Repeats the request when the customer clicks the button. */
  retry: () => void;
  /** The text for a live region. It announces the first load and retries by the customer, but no automatic retries. */
  announcement: string;
}

/** The state of a query that has no data yet. The query client also retries it automatically. */
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
