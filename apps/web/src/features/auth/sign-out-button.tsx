import { useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigation } from 'react-router-dom';
import { hasDrafts } from '../../lib/draft.ts';
import { useStorage } from '../../lib/storage-context.ts';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { toast } from '../../ui/toasts.tsx';
import { useBrowserSession } from './session-context.ts';

const text = {
  signOut: 'Sign Out',
  done: 'Logout Successfully',
  discardsDrafts: 'You have unsent drafts. Sign out and delete them?',
  failed: 'We could not sign you out. Check your network and try again.',
};

const toastId = 'sign-out';

/**
 * A button that signs the customer out and opens the home page. If the customer has drafts, the button first asks whether to
 * delete them.
 */
export function SignOutButton({ className }: { className: string }) {
  const navigate = useNavigate();
  const storage = useStorage();
  const session = useBrowserSession();
  const current = useLocation();
  const target = useNavigation().location ?? current;
  const latest = useRef(target);
  useLayoutEffect(() => {
    latest.current = target;
  }, [target]);
  const [signOut, pending] = useSingleFlight(async () => {
    const { key } = latest.current;
    const user = await session?.waitForUser();
    if (!session || !user) return;
    if (hasDrafts(storage, user.uid) && !confirm(text.discardsDrafts)) return;
    try {
      await session.signOut();
      toast.success(text.done, { id: toastId });
      // Opens the home page, unless the customer has opened another page during the sign-out. The login page does not
      // count as such a page, because a protected page may have redirected to it.
      if (latest.current.key === key || latest.current.pathname === '/login') await navigate('/');
    } catch {
      toast.error(text.failed, { id: toastId });
    }
  });
  return (
    <button type="button" aria-disabled={pending} onClick={() => void signOut()} className={className}>
      {text.signOut}
    </button>
  );
}
