import type { ReportedPart } from '@rtr/shared';
import type { Collections } from '../database/collections.ts';
import type { CaseDocument } from '../database/documents/moderation.ts';
import type { Outcome } from '../operations/audit.store.ts';
import type { PictureRemoval } from '../pictures/remove-pictures.ts';
import type { MessageModerationStore } from '../requests/moderation.store.ts';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import type { ServiceModerationStore } from '../services/moderation.store.ts';
import { newestDecision, targetOf } from './outcomes.ts';

/** The maximum number of attempts to apply an action. An attempt fails if the moderation case changes at the same time. */
const maxAttempts = 5;
/**
 * The maximum duration of a request that uses a picture. Until then, a request that has started before the removal of a
 * picture may still store its address, so the sweep removes the picture again.
 */
const maxRequestDurationMs = 60_000;

interface Dependencies {
  reviews: Pick<ReviewModerationStore, 'setHidden'>;
  services: Pick<ServiceModerationStore, 'setHidden'>;
  messages: Pick<MessageModerationStore, 'setHidden'>;
  removePictures: PictureRemoval;
}

/**
 * Creates the function that applies the newest action on one part of the reported content, for example the reply. For
 * pictures, it applies all actions that are not settled yet, because each action can be about other pictures.
 *
 * If the case changes while the function runs, the function tries again. So the newest action is applied last, even if
 * several API instances apply actions at the same time. Until the newest action is applied, the part is listed in the
 * field `pending` of the case, so that a sweep can finish an interrupted action.
 */
export function createActionApplier(
  { cases }: Pick<Collections, 'cases'>,
  findCase: (_id: string) => Promise<CaseDocument>,
  { reviews, services, messages, removePictures }: Dependencies,
) {
  function apply({ _id, history, settledVersion = 0 }: CaseDocument, part: ReportedPart): Promise<Outcome> {
    const { id } = targetOf(_id);
    if (part === 'picture')
      return removePictures(
        history.filter(({ version }) => version > settledVersion),
        id,
      );
    const newest = newestDecision(history, part);
    const hidden = newest?.action === 'hide' ? { at: newest.at, reason: newest.reason } : null;
    if (part === 'service') return services.setHidden(id, hidden);
    if (part === 'message') return messages.setHidden(id, hidden);
    return reviews.setHidden(id, hidden, part);
  }

  return async (_id: string, part: ReportedPart, now = new Date()): Promise<Outcome> => {
    let outcome: Outcome = 'already';
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const document = await findCase(_id);
      const changed = await apply(document, part);
      if (changed !== 'already') outcome = changed;
      const { version, history } = document;
      const settled = part === 'picture' && { $set: { settledVersion: version } };
      const newestAt = newestDecision(history, part)?.at.getTime() ?? 0;
      if (settled && newestAt > now.getTime() - maxRequestDurationMs) break;
      const { matchedCount } = await cases.updateOne({ _id, version }, { $pull: { pending: part }, ...settled });
      if (matchedCount === 1) break;
    }
    return outcome;
  };
}
