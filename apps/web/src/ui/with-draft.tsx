import { type ReactNode, useCallback, useState } from 'react';
import { type Draft, newIdempotencyKey, readDraft, removeDraft, saveDraft } from '../lib/draft.ts';
import { useStorage } from '../lib/storage-context.ts';

export interface FormDraft {
  /** The draft that was stored when the form opened. Null if there was none. */
  restored: Draft | null;
  idempotencyKey: string;
  /** Whether the last change of the form is stored. Undefined before the first change. */
  isSaved: boolean | undefined;
  /** Returns the draft that is stored in the browser now. */
  read(): Draft | null;
  save(values: Record<string, string>): void;
  remove(): void;
  /** Removes the draft and resets the form. */
  startOver(): void;
}

interface WithDraftProps {
  /** The uid of the customer. */
  owner: string;
  subject: string;
  children: (draft: FormDraft) => ReactNode;
}

/**
 * Gives a form access to its draft, which `owner` and `subject` identify. If the owner or the subject changes, the form is
 * mounted again.
 */
export function WithDraft({ owner, subject, children }: WithDraftProps) {
  const [resetCount, setResetCount] = useState(0);
  return (
    <DraftState
      key={`${owner} ${subject} ${resetCount}`}
      owner={owner}
      subject={subject}
      onReset={() => setResetCount(resetCount + 1)}
    >
      {children}
    </DraftState>
  );
}

/** Stores the state of the draft. `startOver` mounts this component again, which resets the state. */
function DraftState({ owner, subject, children, onReset }: WithDraftProps & { onReset: () => void }) {
  const storage = useStorage();
  const read = () => readDraft(storage, owner, subject);
  const [restored] = useState(read);
  const [idempotencyKey] = useState(() => restored?.idempotencyKey ?? newIdempotencyKey());
  const [isSaved, setIsSaved] = useState<boolean>();
  const save = (values: Record<string, string>) => {
    setIsSaved(saveDraft(storage, owner, subject, { values, idempotencyKey }));
  };
  const remove = useCallback(() => removeDraft(storage, owner, subject), [storage, owner, subject]);
  const startOver = () => {
    remove();
    onReset();
  };
  return children({ restored, idempotencyKey, isSaved, read, save, remove, startOver });
}
