import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Goes back to the previous page when `isDone` becomes true, or to `fallback` if this was the first page. */
export function useGoBack(isDone: boolean, fallback: string): void {
  const navigate = useNavigate();
  const { key } = useLocation();
  // This is computed when the page opens, because sending the form gives the history entry another key.
  const [isFirst] = useState(() => isFirstPage(key));
  useEffect(() => {
    if (isDone) void (isFirst ? navigate(fallback, { replace: true }) : navigate(-1));
  }, [isDone, fallback, isFirst, navigate]);
}

/**
 * True if this is the first page of the tab. The router numbers its history entries in `idx`. If there is no number, only
 * the first entry has the key 'default'.
 */
function isFirstPage(key: string): boolean {
  const { idx } = (window.history.state ?? {}) as { idx?: number };
  return idx === undefined ? key === 'default' : idx === 0;
}
