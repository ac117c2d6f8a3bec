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
  /** 'send' if the form adds something, 'save' if it edits something. The texts depend on this. */
  does?: 'send' | 'save';
  /** Whether a draft is stored. If it is, the customer loses nothing by leaving the page. */
  isDraftSaved: boolean;
  /** Whether the form has unsent or unsaved changes. */
  isOn?: boolean;
}

/**
 * Asks customers to confirm before they leave a page with unsent or unsaved changes.
 *
 * On a page with one form, always render the guard, and set `isOn` to true while the form has such changes. A guard that is
 * rendered only when the customer types does not work during its first milliseconds.
 *
 * On a page with several forms, render only the guard of the form that has such changes, because the router supports only one
 * guard at a time.
 */
export function LeaveGuard({ does = 'send', isDraftSaved, isOn = true }: LeaveGuardProps) {
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      isOn &&
      nextLocation.pathname !== currentLocation.pathname &&
      // If the draft is saved, the customer can leave for the login page without confirmation. After the login, the
      // customer returns to the page of the form, which restores the draft.
      !(isDraftSaved && nextLocation.pathname === '/login'),
  );
  // If the draft is saved, the customer loses nothing by reloading the page or closing the tab. So the browser asks for
  // confirmation only if the draft is not saved.
  useEffect(() => {
    if (isDraftSaved || !isOn) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isDraftSaved, isOn]);

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
