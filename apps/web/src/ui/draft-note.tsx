import type { DraftInHand } from '../lib/use-draft.ts';

const text = {
  kept: 'Draft kept on this device',
  restored: (time: string) => `We kept your draft from ${time}.`,
  startOver: 'Start over',
};

/** Says quietly that what is typed is kept, and lets go of what was kept before. */
export function DraftNote({ draft, onStartOver }: { draft: DraftInHand; onStartOver: () => void }) {
  const time = draft.found && new Date(draft.found.at).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <div className="flex min-h-6 flex-wrap items-center gap-x-4 text-small text-muted">
      <p role="status">{draft.kept ? text.kept : time && text.restored(time)}</p>
      {draft.found && (
        <button type="button" className="link" onClick={onStartOver}>
          {text.startOver}
        </button>
      )}
    </div>
  );
}
