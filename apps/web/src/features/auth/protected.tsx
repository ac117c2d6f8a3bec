import { useEffect, useState } from 'react';
import { Navigate, Outlet, useLocation, useMatches, useNavigation, useRevalidator } from 'react-router-dom';
import { useHydrated } from '../../lib/page-context.ts';
import { PageHead } from '../../ui/page-head.tsx';
import { ProgressBars } from '../../ui/page-state.tsx';
import { useSession } from './session-context.ts';

/**
 * The parent route of the pages that need a session, except the page Moderation. Visitors are redirected to the login page.
 * This also happens if the session ends while the page is open, for example in another tab. In the history, the login page
 * replaces the protected page, and the protected page opens again after the login. If another customer signs in while the
 * page is open, the page starts again with the data of this customer. The server always renders the loading state.
 */
export function Protected() {
  const { user, loading } = useSession();
  const hydrated = useHydrated();
  const from = useLocation();
  // Do not redirect to the login while another page opens, because the redirect would cancel that navigation.
  const isLeaving = useNavigation().state !== 'idle';
  const hasDataOfUser = useDataOf(user?.uid);
  if (!hydrated) return <LoadingRoute />;
  if (user) return hasDataOfUser ? <Outlet key={user.uid} /> : <LoadingRoute />;
  if (loading || isLeaving) return <LoadingRoute />;
  return (
    <>
      <LoadingRoute />
      <Navigate to="/login" replace state={{ from }} />
    </>
  );
}

/**
 * Runs the loaders of the page again when the customer changes. Returns false until the data of the new customer has
 * loaded.
 */
function useDataOf(uid: string | undefined): boolean {
  const { revalidate } = useRevalidator();
  const [loadedUid, setLoadedUid] = useState(uid);
  // While the auth state is unknown, the loaders wait. Then they load the data of the customer who is signed in, so they
  // do not have to run again.
  if (loadedUid === undefined && uid !== undefined) setLoadedUid(uid);
  const isOutdated = uid !== undefined && loadedUid !== undefined && uid !== loadedUid;
  useEffect(() => {
    if (isOutdated) void revalidate().then(() => setLoadedUid(uid));
  }, [isOutdated, uid, revalidate]);
  return !isOutdated;
}

/**
 * The loading state of the current route. The title contains the name in the `handle` of the route, because the server does
 * not load the module of a protected page.
 */
export function LoadingRoute() {
  const handle = useMatches().at(-1)?.handle as { name: string } | undefined;
  return <LoadingPage name={handle?.name} />;
}

export function LoadingPage({ name }: { name?: string | undefined }) {
  return (
    <>
      <PageHead name={name} />
      <ProgressBars />
    </>
  );
}
