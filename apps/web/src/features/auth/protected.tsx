import { Navigate, Outlet, useLocation, useNavigation } from 'react-router-dom';
import { useHydrated } from '../../lib/page-context.ts';
import { NeedsScript } from '../../ui/needs-script.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { ProgressBars } from '../../ui/page-state.tsx';
import { useSession } from './session.ts';

/**
 * Stands around the protected pages. Who is not signed in goes to the login instead, which takes this history entry's
 * place and remembers the page with all that its own entry remembers. It also holds when the session ends while a page
 * is open, in whichever tab that happened. The server renders the loading state, whoever asks.
 */
export function Protected() {
  const { user, loading } = useSession();
  const hydrated = useHydrated();
  const from = useLocation();
  // Who is on the way to another page already, as after Sign Out, is left to go there.
  const leaving = useNavigation().state !== 'idle';
  if (!hydrated) return <LoadingPage />;
  if (user) return <Outlet />;
  if (loading || leaving) return <LoadingPage />;
  return (
    <>
      <LoadingPage />
      <Navigate to="/login" replace state={{ from }} />
    </>
  );
}

/** A page that is on its way. */
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
