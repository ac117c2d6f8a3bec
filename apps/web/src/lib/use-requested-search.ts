import { matchPath, useLocation, useNavigation } from 'react-router-dom';

/**
 * The search parameters of this page that were requested last. While a navigation within the page loads, they are newer
 * than those on screen. A link that changes one parameter must start from them, or it drops the pending change.
 */
export function useRequestedSearch(): URLSearchParams {
  const current = useLocation();
  const { location: next } = useNavigation();
  const { search } = next && matchPath(current.pathname, next.pathname) ? next : current;
  return new URLSearchParams(search);
}
