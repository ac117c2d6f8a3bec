import { useState } from 'react';
import { type Draft, keepDraft, newIdempotencyKey, readDraft } from './draft.ts';

export interface DraftInHand {
  /** What was kept from before, when the form opened. */
  found: Draft | null;
  idempotencyKey: string;
  /** Whether what is typed is kept; undefined until something is. */
  kept: boolean | undefined;
  keep(values: Record<string, string>): void;
}

/** The draft of a form while it is open. Another `owner` or `subject` needs another form: give it a `key`. */
export function useDraft(owner: string, subject: string): DraftInHand {
  const [found] = useState(() => readDraft(owner, subject));
  const [idempotencyKey] = useState(() => found?.idempotencyKey ?? newIdempotencyKey());
  const [kept, setKept] = useState<boolean>();
  const keep = (values: Record<string, string>) => {
    setKept(keepDraft(owner, subject, { values, idempotencyKey }));
  };
  return { found, idempotencyKey, kept, keep };
}
