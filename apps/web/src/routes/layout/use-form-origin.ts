import { useLocation } from 'react-router-dom';

/**
 * Returns the history state for a link to a form. It contains the page to which the form returns, which is usually the
 * current page. If the current page is itself a form, the new form returns to the same page as that form.
 */
export function useFormOrigin(): unknown {
  const location = useLocation();
  return /^\/(login|signup|addservices)\/?$/i.test(location.pathname) ? location.state : { from: location };
}
