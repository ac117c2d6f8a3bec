import { focusHeadingOnRemoval } from '../lib/focus.ts';
import type { DraftInHand } from '../lib/use-draft.ts';

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
  /** False when nothing is left to send or save: the note is empty then. */
  isUnsent?: boolean;
  onStartOver: () => void;
}

/** Says whether what is typed is kept, and lets go of what was kept before. */
export function DraftNote({ draft, does = 'send', isUnsent = true, onStartOver }: DraftNoteProps) {
  const time = draft.found && new Date(draft.found.at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  const said = draft.kept === undefined ? undefined : draft.kept ? text.kept : text.notKept[does];
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-4 text-small text-muted">
      {/* There before its text: a screen reader reads the text out when it changes. */}
      <p role="status">{isUnsent && (said ?? (time && text.restored(time)))}</p>
      {isUnsent && draft.found && (
        <button ref={focusHeadingOnRemoval} type="button" className="link" onClick={onStartOver}>
          {text.startOver}
        </button>
      )}
    </div>
  );
}
