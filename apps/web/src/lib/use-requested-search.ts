import { matchPath, useLocation, useNavigation } from 'react-router-dom';

/**
 * Returns the search parameters of this page that were requested last. During a navigation within the page, they are newer
 * than those on screen. A link that changes one parameter must start from them, or else it would undo the pending change.
 */
export function useRequestedSearch(): URLSearchParams {
  const current = useLocation();
  const { location: next } = useNavigation();
  const { search } = next && matchPath(current.pathname, next.pathname) ? next : current;
  return new URLSearchParams(search);
}
