import { Navigate, Outlet, useLocation, useNavigation } from 'react-router-dom';
import { useHydrated } from '../../lib/page-context.ts';
import { NeedsScript } from '../../ui/needs-script.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { ProgressBars } from '../../ui/page-state.tsx';
import { useSession } from './session-context.ts';

/**
 * The parent route of all protected pages. It redirects visitors to the login, also if the session ends in any tab while the
 * page is open. The login replaces the history entry of the page, and returns to the page afterwards. The server always
 * renders the loading state.
 */
export function Protected() {
  const { user, loading } = useSession();
  const hydrated = useHydrated();
  const from = useLocation();
  // Does not redirect during a navigation, such as the one after Sign Out.
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

/** The loading state of a page. */
export function LoadingPage() {
  return (
    <>
      <PageHead />
      <ProgressBars />
      <div className="column not-noscript:hidden py-18">
        <NeedsScript what="page" />
      </div>
    </>
  );
}
