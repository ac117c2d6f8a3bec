import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

const text = {
  send: {
    title: 'Leave without sending?',
    kept: 'What you typed is not sent yet. The draft is kept on this device for when you come back.',
    lost: 'What you typed is not sent yet, and this browser keeps no drafts. When you leave, it is gone.',
  },
  save: {
    title: 'Leave without saving?',
    kept: 'Your changes are not saved yet. The draft is kept on this device for when you come back.',
    lost: 'Your changes are not saved yet, and this browser keeps no drafts. When you leave, they are gone.',
  },
  stay: 'Stay',
  leave: 'Leave',
};

interface LeaveGuardProps {
  /** What its form does with what is typed. */
  does?: 'send' | 'save';
  /** Whether the draft outlives this page. */
  kept: boolean;
}

/** While it is rendered, asks before what is typed is left unsent or unsaved. */
export function LeaveGuard({ does = 'send', kept }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      nextLocation.pathname !== currentLocation.pathname &&
      // The way through the login leads back.
      !(kept && nextLocation.pathname === '/login'),
  );
  // A reload or a closed tab takes only what is not kept.
  useEffect(() => {
    if (kept) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [kept]);

  if (blocker.state !== 'blocked') return null;
  return (
    <Dialog title={text[does].title} onClose={() => blocker.reset()}>
      <p className="measure">{text[does][kept ? 'kept' : 'lost']}</p>
      <div className="flex flex-wrap gap-4">
        <Button onClick={() => blocker.reset()}>{text.stay}</Button>
        <Button tone={kept ? 'quiet' : 'danger'} onClick={() => blocker.proceed()}>
          {text.leave}
        </Button>
      </div>
    </Dialog>
  );
}
