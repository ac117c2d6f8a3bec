import type { ReportedPart } from '@rtr/shared';
import type { Collections } from '../database/collections.ts';
import type { CaseDocument } from '../database/documents/moderation.ts';
import type { Outcome } from '../operations/audit.store.ts';
import type { HiddenPictureStore } from '../pictures/hidden-pictures.store.ts';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import type { ServiceModerationStore } from '../services/moderation.store.ts';
import { targetOf } from './outcomes.ts';

/** The maximum number of attempts to apply an action. An attempt fails if the moderation case changes at the same time. */
const maxAttempts = 5;

interface Dependencies {
  reviews: Pick<ReviewModerationStore, 'setHidden'>;
  services: Pick<ServiceModerationStore, 'setHidden'>;
  hiddenPictures: Pick<HiddenPictureStore, 'apply'>;
}

/**
 * Creates the function that hides or restores one part of a review or service, for example the reply. The function
 * applies the newest action on this part in the moderation case. For pictures, it applies all actions, because each
 * picture is hidden separately.
 *
 * If the case changes while the function runs, the function tries again. So the newest action is applied last, even if
 * several API instances apply actions at the same time. Until the newest action is applied, the part is listed in the
 * field `pending` of the case, so that a sweep can finish an interrupted action.
 */
export function createActionApplier(
  { cases }: Pick<Collections, 'cases'>,
  findCase: (_id: string) => Promise<CaseDocument>,
  { reviews, services, hiddenPictures }: Dependencies,
) {
  function apply(document: CaseDocument, part: ReportedPart): Promise<Outcome> {
    const { kind, id } = targetOf(document._id);
    if (part === 'picture') return hiddenPictures.apply(document, kind, id);
    const newest = document.history.findLast((entry) => entry.part === part && entry.action !== 'dismiss');
    const hidden = newest?.action === 'hide' ? { at: newest.at, reason: newest.reason } : null;
    return part === 'service' ? services.setHidden(id, hidden) : reviews.setHidden(id, hidden, part);
  }

  return async (_id: string, part: ReportedPart): Promise<Outcome> => {
    let outcome: Outcome = 'already';
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const document = await findCase(_id);
      const changed = await apply(document, part);
      if (changed !== 'already') outcome = changed;
      const unchanged = { _id, version: document.version };
      const { matchedCount } = await cases.updateOne(unchanged, { $pull: { pending: part } });
      if (matchedCount === 1) break;
    }
    return outcome;
  };
}
