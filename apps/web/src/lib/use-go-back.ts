import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';

/** Once `isDone`, goes back to the previous page; to `fallback` if this was the first page. */
export function useGoBack(isDone: boolean, fallback: string): void {
  const navigate = useNavigate();
  const { key } = useLocation();
  // Computed on arrival, because sending the form gives the history entry another key.
  const [isFirst] = useState(() => isFirstPage(key));
  useEffect(() => {
    if (isDone) void (isFirst ? navigate(fallback, { replace: true }) : navigate(-1));
  }, [isDone, fallback, isFirst, navigate]);
}

/** The router numbers its history entries in `idx`. Without a number, only the first entry has the key 'default'. */
function isFirstPage(key: string): boolean {
  const { idx } = (window.history.state ?? {}) as { idx?: number };
  return idx === undefined ? key === 'default' : idx === 0;
}
