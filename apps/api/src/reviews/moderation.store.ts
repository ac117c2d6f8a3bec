import { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import { type Collections, hiddenDeletedAt } from '../database/documents.ts';
import type { OwnedRow } from '../services/services.store.ts';
import type { SummaryStore } from './summaries.store.ts';

export type ReviewModerationStore = ReturnType<typeof createReviewModerationStore>;

export function createReviewModerationStore(
  { reviews }: Pick<Collections, 'reviews'>,
  summaries: Pick<SummaryStore, 'writeAndUpdate'>,
) {
  return {
    /**
     * Hides a review or shows it again. A hidden review is hidden from everyone, even from its author, and the summary of
     * its service does not count it. A review that its author deleted stays deleted when it is shown again.
     */
    async setHidden(id: string, isHidden: boolean): Promise<'done' | 'already' | 'missing'> {
      const _id = new ObjectId(id);
      const review = await reviews.findOne({ _id }, { ...readTimeout, projection: { serviceId: 1 } });
      if (!review) return 'missing';
      const { matchedCount } = await summaries.writeAndUpdate(review.serviceId, () =>
        isHidden
          ? reviews.updateOne({ _id, hidden: { $exists: false } }, [
              { $set: { hidden: { at: '$$NOW', deletedAt: '$deletedAt' }, deletedAt: hiddenDeletedAt } },
            ])
          : reviews.updateOne({ _id, hidden: { $exists: true } }, [
              { $set: { deletedAt: '$hidden.deletedAt' } },
              { $unset: 'hidden' },
            ]),
      );
      return matchedCount === 1 ? 'done' : 'already';
    },

    /** Returns all reviews of a customer, newest first. Hidden and deleted reviews are included. */
    async listByAuthor(uid: string): Promise<OwnedRow[]> {
      const projection = { serviceName: 1, createdAt: 1, deletedAt: 1, hidden: 1 };
      const documents = await reviews
        .find({ uid }, { ...readTimeout, projection })
        .sort({ _id: -1 })
        .toArray();
      return documents.map(({ _id, serviceName, createdAt, deletedAt, hidden }) => ({
        id: _id.toHexString(),
        title: serviceName,
        createdAt,
        isHidden: hidden !== undefined,
        isDeleted: hidden === undefined && deletedAt !== null,
      }));
    },
  };
}
