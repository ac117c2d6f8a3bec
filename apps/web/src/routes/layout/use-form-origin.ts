import { useLocation } from 'react-router-dom';

/**
 * Returns the history state for a link to a form. The state contains the page to which the form returns. Usually, this is
 * the current page. If the current page is itself a form, it is the page to which that form returns.
 */
export function useFormOrigin(): unknown {
  const location = useLocation();
  return /^\/(login|signup|addservices)\/?$/i.test(location.pathname) ? location.state : { from: location };
}
