import { useEffect, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router-dom';

/**
 * When `isDone` becomes true, goes back to the previous page. If there is none in this tab, opens `fallback` instead. Does
 * nothing if the customer has already opened another page.
 */
export function useGoBack(isDone: boolean, fallback: string): void {
  const navigate = useNavigate();
  const { key } = useLocation();
  const isIdle = useNavigation().state === 'idle';
  // Sending the form changes the key of the history entry, so the key is read when the page opens.
  const [isFirst] = useState(() => isFirstPage(key));
  useEffect(() => {
    if (isDone && isIdle) void (isFirst ? navigate(fallback, { replace: true }) : navigate(-1));
  }, [isDone, isIdle, fallback, isFirst, navigate]);
}

/**
 * Returns true if this is the first page of the tab. The router stores the number of each history entry in `idx`. If `idx`
 * is missing, this function uses the key: the first entry has the key 'default'.
 */
function isFirstPage(key: string): boolean {
  const { idx } = (window.history.state ?? {}) as { idx?: number };
  return idx === undefined ? key === 'default' : idx === 0;
}
