import { useLocation } from 'react-router-dom';

/**
 * Returns the history state for a link to a form. It contains the page to return to: this page, or, if this page is itself a
 * form, the page to which that form returns.
 */
export function useFormOrigin(): unknown {
  const location = useLocation();
  return /^\/(login|signup|addservices)\/?$/i.test(location.pathname) ? location.state : { from: location };
}
