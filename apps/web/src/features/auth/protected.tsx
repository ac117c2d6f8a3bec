import { Navigate, Outlet, useLocation, useNavigation } from 'react-router-dom';
import { ProgressBars } from '../../ui/page-state.tsx';
import { useSession } from './session.ts';

/**
 * Stands around the protected pages. Who is not signed in goes to the login instead, which takes this history entry's
 * place and remembers the page with all that its own entry remembers. It also holds when the session ends while a page
 * is open, in whichever tab that happened.
 */
export function Protected() {
  const { user, loading } = useSession();
  const from = useLocation();
  // Who is on the way to another page already, as after Sign Out, is left to go there.
  const leaving = useNavigation().state !== 'idle';
  if (user) return <Outlet />;
  if (loading || leaving) return <ProgressBars />;
  return <Navigate to="/login" replace state={{ from }} />;
}
