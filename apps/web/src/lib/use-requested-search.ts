import { matchPath, useLocation, useNavigation } from 'react-router-dom';

/**
 * Returns the query parameters that this page will have after the current navigation. A link that changes only one parameter
 * must copy the others from here. Otherwise it would undo a change that is still loading.
 */
export function useRequestedSearch(): URLSearchParams {
  const current = useLocation();
  const { location: next } = useNavigation();
  const { search } = next && matchPath(current.pathname, next.pathname) ? next : current;
  return new URLSearchParams(search);
}
