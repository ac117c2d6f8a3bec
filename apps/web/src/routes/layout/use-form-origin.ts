import { useLocation } from 'react-router-dom';

/**
 * Returns the history state for a link to the login, sign-up or Add Service page. In this state, `from` is the page to which
 * the form returns: the current page. If the current page is one of these forms, returns its state, so that `from` stays the
 * same.
 */
export function useFormOrigin(): unknown {
  const location = useLocation();
  return /^\/(login|signup|addservices)\/?$/i.test(location.pathname) ? location.state : { from: location };
}
