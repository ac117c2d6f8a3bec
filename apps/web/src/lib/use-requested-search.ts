import { matchPath, useLocation, useNavigation } from 'react-router-dom';

/**
 * Returns the query parameters of this page that were requested last. During a navigation within the page, they are newer
 * than the parameters on screen. A link that changes one parameter must take the other parameters from here. Otherwise it
 * would undo the pending change.
 */
export function useRequestedSearch(): URLSearchParams {
  const current = useLocation();
  const { location: next } = useNavigation();
  const { search } = next && matchPath(current.pathname, next.pathname) ? next : current;
  return new URLSearchParams(search);
}
