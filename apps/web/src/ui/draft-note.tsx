import { useEffect } from 'react';
import type { DraftInHand } from '../lib/use-draft.ts';
import { toast } from './toasts.tsx';

const text = {
  kept: 'Draft kept on this device',
  notKept: {
    send: 'This browser keeps no drafts. Send this before you leave.',
    save: 'This browser keeps no drafts. Save this before you leave.',
  },
  restored: (time: string) => `We kept your draft from ${time}.`,
  startOver: 'Start over',
};

interface DraftNoteProps {
  draft: DraftInHand;
  /** What its form does with what is typed. */
  does?: 'send' | 'save';
  onStartOver: () => void;
}

/** Says whether what is typed is kept, and lets go of what was kept before. */
export function DraftNote({ draft, does = 'send', onStartOver }: DraftNoteProps) {
  const time = draft.found && new Date(draft.found.at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  const said = draft.kept === undefined ? undefined : draft.kept ? text.kept : text.notKept[does];
  // Once, and aloud: the note beside the form only stays.
  useEffect(() => {
    if (said) toast.blank(said);
  }, [said]);
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-4 text-small text-muted">
      <p>{said ?? (time && text.restored(time))}</p>
      {draft.found && (
        <button type="button" className="link" onClick={onStartOver}>
          {text.startOver}
        </button>
      )}
    </div>
  );
}
