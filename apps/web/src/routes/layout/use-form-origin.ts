import { useLocation } from 'react-router-dom';

/**
 * The history state of a link to a form, which names the page to return to. That is this page. If this page is a form too,
 * it passes its own state on.
 */
export function useFormOrigin(): unknown {
  const location = useLocation();
  return /^\/(login|signup|addservices)\/?$/i.test(location.pathname) ? location.state : { from: location };
}
