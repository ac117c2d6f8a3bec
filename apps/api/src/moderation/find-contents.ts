import type { ModerationCase } from '@rtr/shared';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import type { ServiceModerationStore } from '../services/moderation.store.ts';
import { targetOf } from './outcomes.ts';

export interface ContentStores {
  reviews: Pick<ReviewModerationStore, 'findForModeration'>;
  services: Pick<ServiceModerationStore, 'findForModeration'>;
}

/**
 * Finds the reviews and services that the given moderation cases are about. The keys of the result are the ids of the
 * reviews and services.
 */
export async function findContents(
  { reviews, services }: ContentStores,
  caseIds: readonly string[],
): Promise<Map<string, Pick<ModerationCase, 'review' | 'service' | 'hidden' | 'hiddenPictures'>>> {
  const targets = caseIds.map(targetOf);
  const idsOf = (kind: 'review' | 'service') => targets.filter((target) => target.kind === kind).map(({ id }) => id);
  const [foundReviews, foundServices] = await Promise.all([
    reviews.findForModeration(idsOf('review')),
    services.findForModeration(idsOf('service')),
  ]);
  return new Map([...foundReviews, ...foundServices]);
}
