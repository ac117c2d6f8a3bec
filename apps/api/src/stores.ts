import type { Collections } from './database/collections.ts';
import { createModerationStore } from './moderation/moderation.store.ts';
import { createReportStore } from './moderation/reports.store.ts';
import { createAuditStore } from './operations/audit.store.ts';
import { createPictureStore } from './pictures/pictures.store.ts';
import { createPictureRemoval } from './pictures/remove-pictures.ts';
import { noQuotas, type Quotas } from './quotas.ts';
import { createReviewModerationStore } from './reviews/moderation.store.ts';
import { createReplyStore } from './reviews/replies.store.ts';
import { createReviewStore } from './reviews/reviews.store.ts';
import { createSummaryStore } from './reviews/summaries.store.ts';
import { createVoteStore } from './reviews/votes.store.ts';
import { createListerStore } from './services/listers.store.ts';
import { createServiceModerationStore } from './services/moderation.store.ts';
import { createServiceStore } from './services/services.store.ts';

/**
 * Creates the stores of services, reviews, pictures and moderation, for the API and for the commands.
 */
export function createStores(
  collections: Collections,
  webOrigins: readonly [string, ...string[]],
  quotas: Quotas = noQuotas,
) {
  const summaries = createSummaryStore(collections);
  const pictures = createPictureStore(collections, webOrigins);
  const services = createServiceStore(collections, quotas, pictures);
  const serviceModeration = createServiceModerationStore(collections, pictures);
  const reviewModeration = createReviewModerationStore(collections, summaries, pictures);
  const contents = { reviews: reviewModeration, services: serviceModeration };
  const audit = createAuditStore(collections);
  return {
    summaries,
    pictures,
    services,
    listers: createListerStore(collections, pictures),
    serviceModeration,
    reviews: createReviewStore(collections, summaries, quotas, pictures),
    replies: createReplyStore(collections, services),
    votes: createVoteStore(collections),
    reviewModeration,
    audit,
    reports: createReportStore(collections, { ...contents, quotas }),
    moderation: createModerationStore(collections, {
      ...contents,
      removePictures: createPictureRemoval(collections),
      audit,
    }),
  };
}
