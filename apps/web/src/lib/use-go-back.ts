import { useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router-dom';

/**
 * Returns a function that goes back to the previous page. If there is none in this tab, it opens `fallback` instead. Goes
 * back by itself when `isDone` becomes true, unless the customer has already opened another page.
 */
export function useGoBack(isDone: boolean, fallback: string): () => void {
  const navigate = useNavigate();
  const { key } = useLocation();
  const isIdle = useNavigation().state === 'idle';
  // Sending the form changes the key of the history entry, so the key is read when the page opens.
  const [isFirst] = useState(() => isFirstPage(key));
  const goBack = () => void (isFirst ? navigate(fallback, { replace: true }) : navigate(-1));
  const finish = useEffectEvent(goBack);
  useEffect(() => {
    if (isDone && isIdle) finish();
  }, [isDone, isIdle]);
  return goBack;
}

/**
 * Returns true if this is the first page of the tab. The router stores the number of each history entry in `idx`. If `idx`
 * is missing, this function uses the key: the first entry has the key 'default'.
 */
function isFirstPage(key: string): boolean {
  const { idx } = (window.history.state ?? {}) as { idx?: number };
  return idx === undefined ? key === 'default' : idx === 0;
}
