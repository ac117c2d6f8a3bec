import { Navigate, Outlet, useLocation, useNavigation } from 'react-router-dom';
import { useHydrated } from '../../lib/page-context.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { ProgressBars } from '../../ui/page-state.tsx';
import { useSession } from './session-context.ts';

/**
 * The parent route of all pages that need a signed-in customer. Visitors are redirected to the login page. This also happens
 * if the session ends while the page is open, for example in another tab. In the history, the login page replaces the
 * protected page, and the protected page opens again after the login. The server always renders the loading state.
 */
export function Protected() {
  const { user, loading } = useSession();
  const hydrated = useHydrated();
  const from = useLocation();
  // Do not redirect to the login while another page opens, because the redirect would cancel that navigation.
  const isLeaving = useNavigation().state !== 'idle';
  if (!hydrated) return <LoadingPage />;
  if (user) return <Outlet />;
  if (loading || isLeaving) return <LoadingPage />;
  return (
    <>
      <LoadingPage />
      <Navigate to="/login" replace state={{ from }} />
    </>
  );
}

export function LoadingPage() {
  return (
    <>
      <PageHead />
      <ProgressBars />
    </>
  );
}
