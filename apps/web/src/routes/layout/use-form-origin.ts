import { useLocation } from 'react-router-dom';

/**
 * Returns the history state for a link to a form. In this state, `from` is the page to which the form returns: the current
 * page. If the current page is a form too, returns the state of the current page, so that `from` stays the same.
 */
export function useFormOrigin(): unknown {
  const location = useLocation();
  return /^\/(login|signup|addservices)\/?$/i.test(location.pathname) ? location.state : { from: location };
}
