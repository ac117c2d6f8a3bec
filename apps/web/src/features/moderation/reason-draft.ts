import { removeDraft } from '../../lib/draft.ts';
import type { BrowserStorage } from '../../lib/storage.ts';

/** The actions that need a reason. */
export const reasonedActions = ['hide', 'restore'] as const;
export type ReasonedAction = (typeof reasonedActions)[number];

/** Returns the subject under which the draft of a reason is stored. Each case has one draft for each action. */
export const reasonDraftSubject = (action: ReasonedAction, caseId: string) => `moderation ${action} ${caseId}`;

export function removeReasonDraft(storage: BrowserStorage, uid: string, action: ReasonedAction, caseId: string): void {
  removeDraft(storage, uid, reasonDraftSubject(action, caseId));
}
