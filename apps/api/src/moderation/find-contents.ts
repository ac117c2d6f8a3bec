import type { ModerationCase } from '@rtr/shared';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import type { ServiceModerationStore } from '../services/moderation.store.ts';
import { targetOf } from './outcomes.ts';

/** A reported review or service, for moderators. */
export interface ModeratedContent extends Pick<ModerationCase, 'review' | 'service' | 'hidden'> {
  /** Changes with each edit of the content. */
  contentVersion: string;
  hasReply: boolean;
  /** True if everyone can read the review or service. Its reply can still be hidden. */
  isPublic: boolean;
  /** The stored addresses of the picture of the service, or of the photos of the review. */
  pictures: string[];
  /** The uids of the customers who have written the content. */
  lister: string | null;
  author?: string;
  replier?: string | undefined;
}

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
): Promise<Map<string, ModeratedContent>> {
  const targets = caseIds.map(targetOf);
  const find = async (kind: 'review' | 'service', store: ContentStores['reviews' | 'services']) => {
    const ids = targets.filter((target) => target.kind === kind).map(({ id }) => id);
    return ids.length === 0 ? [] : store.findForModeration(ids);
  };
  const found = await Promise.all([find('review', reviews), find('service', services)]);
  return new Map(found.flatMap((contents) => [...contents]));
}
