import { useCallback, useState } from 'react';
import { type Draft, newIdempotencyKey, readDraft, removeDraft, saveDraft } from './draft.ts';
import { useStorage } from './storage-context.ts';

export interface FormDraft {
  /** The draft that was stored when the form opened. */
  restored: Draft | null;
  idempotencyKey: string;
  /** Whether the last change is stored. Undefined before the first change. */
  isSaved: boolean | undefined;
  save(values: Record<string, string>): void;
  remove(): void;
}

/** Reads and saves the draft of a form that is open. If `owner` or `subject` changes, give the form another `key`. */
export function useDraft(owner: string, subject: string): FormDraft {
  const storage = useStorage();
  const [restored] = useState(() => readDraft(storage, owner, subject));
  const [idempotencyKey] = useState(() => restored?.idempotencyKey ?? newIdempotencyKey());
  const [isSaved, setIsSaved] = useState<boolean>();
  const save = (values: Record<string, string>) => {
    setIsSaved(saveDraft(storage, owner, subject, { values, idempotencyKey }));
  };
  const remove = useCallback(() => removeDraft(storage, owner, subject), [storage, owner, subject]);
  return { restored, idempotencyKey, isSaved, save, remove };
}
