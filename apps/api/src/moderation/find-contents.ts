import type { ModerationCase, OwnReport } from '@rtr/shared';
import type { MessageModerationStore } from '../requests/moderation.store.ts';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import type { ServiceModerationStore } from '../services/moderation.store.ts';
import { targetOf } from './outcomes.ts';

/** A reported review, service or message, for moderators. */
export interface ModeratedContent extends Pick<ModerationCase, 'review' | 'service' | 'message' | 'hidden'> {
  /** Changes with each edit of the content. */
  contentVersion: string;
  hasReply: boolean;
  /** True if the senders of reports can read the review, service or message. Its reply can still be hidden. */
  isReadable: boolean;
  /** The stored addresses of the picture of the service, or of the photos of the review. */
  pictures: string[];
  /** The uids of the customers who have written the content. */
  lister: string | null;
  author?: string | null;
  replier?: string | undefined;
  /** The uid of the customer who has received the message. */
  recipient?: string | null;
}

export interface ContentStores {
  reviews: Pick<ReviewModerationStore, 'findForModeration'>;
  services: Pick<ServiceModerationStore, 'findForModeration'>;
  messages: Pick<MessageModerationStore, 'findForModeration'>;
}

/**
 * Finds the reviews, services and messages that the given moderation cases are about. The keys of the result are their
 * ids.
 */
export async function findContents(
  { reviews, services, messages }: ContentStores,
  caseIds: readonly string[],
): Promise<Map<string, ModeratedContent>> {
  const targets = caseIds.map(targetOf);
  const find = async (kind: OwnReport['target']['kind'], store: ContentStores[keyof ContentStores]) => {
    const ids = targets.filter((target) => target.kind === kind).map(({ id }) => id);
    return ids.length === 0 ? [] : store.findForModeration(ids);
  };
  const found = await Promise.all([find('review', reviews), find('service', services), find('message', messages)]);
  return new Map(found.flatMap((contents) => [...contents]));
}
