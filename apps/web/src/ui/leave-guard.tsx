import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

const text = {
  send: {
    title: 'Leave without sending?',
    saved: 'You have not sent this form yet. Your draft is kept on this device.',
    lost: 'You have not sent this form yet, and your browser cannot save drafts. If you leave, you lose what you typed.',
  },
  save: {
    title: 'Leave without saving?',
    saved: 'You have not saved your changes yet. Your draft is kept on this device.',
    lost: 'You have not saved your changes yet, and your browser cannot save drafts. If you leave, you lose them.',
  },
  stay: 'Stay',
  leave: 'Leave',
};

interface LeaveGuardProps {
  /** The action of the form. */
  does?: 'send' | 'save';
  /** Whether the draft remains after the page is left. */
  isDraftSaved: boolean;
}

/** While rendered, asks for confirmation before the customer leaves unsent or unsaved changes. */
export function LeaveGuard({ does = 'send', isDraftSaved }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      nextLocation.pathname !== currentLocation.pathname &&
      // The login redirects back to this page, where the draft is restored.
      !(isDraftSaved && nextLocation.pathname === '/login'),
  );
  // A reload or a closed tab loses only changes without a draft.
  useEffect(() => {
    if (isDraftSaved) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDraftSaved]);

  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog title={text[does].title} onClose={() => blocker.reset()}>
      <p className="measure">{text[does][isDraftSaved ? 'saved' : 'lost']}</p>
      <div className="flex flex-wrap gap-4">
        <Button onClick={() => blocker.reset()}>{text.stay}</Button>
        <Button tone={isDraftSaved ? 'quiet' : 'danger'} onClick={() => blocker.proceed()}>
          {text.leave}
        </Button>
      </div>
    </Dialog>
  );
}
