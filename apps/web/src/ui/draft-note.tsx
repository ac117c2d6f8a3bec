import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { LiveRegion } from './live-region.tsx';
import type { FormDraft } from './with-draft.tsx';

const text = {
  saved: 'Draft kept on this device',
  notSaved: {
    send: 'Your browser cannot save drafts. Send this form before you leave the page.',
    save: 'Your browser cannot save drafts. Save your changes before you leave the page.',
  },
  restored: (time: string) => `We kept your draft from ${time}.`,
  startOver: 'Start over',
};

interface DraftNoteProps {
  draft: FormDraft;
  /** 'send' if the form adds something, 'save' if it edits something. The texts depend on this. */
  does?: 'send' | 'save';
  /** False if there is nothing to send or save. No text is then shown. */
  isUnsent?: boolean;
}

/** Says whether the draft is saved. A restored draft can be discarded with a button. */
export function DraftNote({ draft, does = 'send', isUnsent = true }: DraftNoteProps) {
  const time =
    draft.restored && new Date(draft.restored.at).toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
  const status = draft.isSaved === undefined ? undefined : draft.isSaved ? text.saved : text.notSaved[does];
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-4 text-small text-muted">
      {/* The live region is always rendered, because a screen reader announces only changes of a region that already exists
          in the page. */}
      <LiveRegion>{isUnsent && (status ?? (time && text.restored(time)))}</LiveRegion>
      {isUnsent && draft.restored && (
        <button ref={focusHeadingOnRemoval} type="button" className="link" onClick={draft.startOver}>
          {text.startOver}
        </button>
      )}
    </div>
  );
}
