import type { Collections } from './database/collections.ts';
import { createModerationStore } from './moderation/moderation.store.ts';
import { createReportStore } from './moderation/reports.store.ts';
import { createNewsEmailStore } from './news/emails.store.ts';
import { createNewsStore } from './news/news.store.ts';
import { createAuditStore } from './operations/audit.store.ts';
import { createPictureStore } from './pictures/pictures.store.ts';
import { createPictureRemoval } from './pictures/remove-pictures.ts';
import type { Quotas } from './quotas.ts';
import { createMessageModerationStore } from './requests/moderation.store.ts';
import { createConversationStore } from './requests/requests.store.ts';
import { createReviewModerationStore } from './reviews/moderation.store.ts';
import { createReplyStore } from './reviews/replies.store.ts';
import { createReviewStore } from './reviews/reviews.store.ts';
import { createSummaryStore } from './reviews/summaries.store.ts';
import { createVoteStore } from './reviews/votes.store.ts';
import { createListerStore } from './services/listers.store.ts';
import { createServiceModerationStore } from './services/moderation.store.ts';
import { createServiceStore } from './services/services.store.ts';

/**
 * Creates the stores of services, reviews, conversations, pictures, moderation and news, for the API and for the commands.
 */
export function createStores(collections: Collections, webOrigins: readonly [string, ...string[]], quotas: Quotas) {
  const summaries = createSummaryStore(collections);
  const pictures = createPictureStore(collections, webOrigins);
  const listers = createListerStore(collections, pictures);
  const services = createServiceStore(collections, { listers, pictures, quotas });
  const serviceModeration = createServiceModerationStore(collections, pictures);
  const reviewModeration = createReviewModerationStore(collections, summaries, pictures);
  const messageModeration = createMessageModerationStore(collections);
  const contents = { reviews: reviewModeration, services: serviceModeration, messages: messageModeration };
  const audit = createAuditStore(collections);
  const reports = createReportStore(collections, { ...contents, quotas });
  return {
    summaries,
    pictures,
    services,
    listers,
    serviceModeration,
    reviews: createReviewStore(collections, summaries, pictures, quotas),
    replies: createReplyStore(collections, services),
    votes: createVoteStore(collections),
    conversations: createConversationStore(collections, { pictures, quotas }),
    reviewModeration,
    audit,
    reports,
    news: createNewsStore(collections, reports),
    newsEmails: createNewsEmailStore(collections),
    moderation: createModerationStore(collections, {
      ...contents,
      removePictures: createPictureRemoval(collections),
      audit,
    }),
  };
}
