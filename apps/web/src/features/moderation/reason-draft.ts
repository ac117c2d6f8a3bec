import { removeDraft } from '../../lib/draft.ts';
import type { BrowserStorage } from '../../lib/storage.ts';

/** The actions that need a reason. */
export type ReasonedAction = 'hide' | 'restore';

/** Returns the subject of the draft of a reason. */
export const reasonSubject = (action: ReasonedAction, caseId: string) => `moderation ${action} ${caseId}`;

export function removeReasonDraft(storage: BrowserStorage, uid: string, action: ReasonedAction, caseId: string): void {
  removeDraft(storage, uid, reasonSubject(action, caseId));
}
