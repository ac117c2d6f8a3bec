import {
  limits,
  type OwnReport,
  type OwnReportsQuery,
  type ReportedPart,
  type ReportReason,
  type ReviewAppeal,
  type ReviewReport,
  type ServiceAppeal,
  type ServiceReport,
} from '@rtr/shared';
import { hasErrorCode, readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ReportDocument } from '../database/documents/moderation.ts';
import { cursorValue, findPage, type Page, type SortOrder } from '../database/pagination.ts';
import { ForbiddenError } from '../errors.ts';
import type { Quotas } from '../quotas.ts';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import { runEach } from '../run-each.ts';
import type { ServiceModerationStore } from '../services/moderation.store.ts';
import { findContents, type ModeratedContent } from './find-contents.ts';
import { statusOf, targetOf } from './outcomes.ts';

/**
 * The maximum duration of a request that adds a report. After this time, a report without a `version` is from a request
 * that was interrupted before it opened the moderation case.
 */
const maxReportDurationMs = 60_000;

const newestFirst: SortOrder = {
  fields: [
    ['createdAt', -1, cursorValue.date],
    ['_id', -1, cursorValue.text],
  ],
};

interface ReportDependencies {
  reviews: Pick<ReviewModerationStore, 'findForReport' | 'findForModeration' | 'findForAppeal' | 'setAppealed'>;
  services: Pick<ServiceModerationStore, 'findForReport' | 'findForModeration' | 'findForAppeal' | 'setAppealed'>;
  quotas: Pick<Quotas, 'countDaily'>;
}

export type ReportStore = ReturnType<typeof createReportStore>;

/**
 * Creates the store of the reports of customers, and of the requests of authors for another look at a decision. Each of them
 * opens the moderation case of its review or service.
 */
export function createReportStore(
  { cases, reports }: Pick<Collections, 'cases' | 'reports'>,
  { reviews, services, quotas }: ReportDependencies,
) {
  /**
   * Opens the case of a stored report, and stores the new version of the case in the report. The case may not exist yet, or
   * may be closed or already open.
   */
  async function openCase({ _id, caseId, createdAt }: ReportDocument): Promise<void> {
    const opened = await cases.findOneAndUpdate(
      { _id: caseId },
      [
        {
          $set: {
            status: 'open',
            statusSince: { $cond: [{ $eq: ['$status', 'open'] }, '$statusSince', createdAt] },
            version: { $add: [{ $ifNull: ['$version', 0] }, 1] },
            history: { $ifNull: ['$history', []] },
          },
        },
      ],
      { upsert: true, returnDocument: 'after', projection: { version: 1 } },
    );
    if (opened) await reports.updateOne({ _id, createdAt, version: null }, { $set: { version: opened.version } });
  }

  return {
    /** Adds a report, or replaces the earlier report of the customer about the same review or service. */
    async report(
      uid: string,
      kind: 'review' | 'service',
      id: string,
      { about, reason, text }: ReviewReport | ServiceReport,
    ): Promise<{ report: OwnReport; isNew: boolean }> {
      const contents = kind === 'review' ? reviews : services;
      const { owner, serviceId, title } = await contents.findForReport(id, about);
      if (owner === uid) throw new ForbiddenError('This is your own content. You can edit or delete it.');
      const caseId = `${kind}-${id}`;
      const _id = `${caseId}:${uid}`;
      const fields = { caseId, kind, uid, serviceId, title, about, reason, text, createdAt: new Date(), version: null };
      // A report that replaces an earlier one counts too, because moderators may read both.
      const previous = await quotas.countDaily('reports', uid, () =>
        reports.findOneAndUpdate({ _id }, { $set: fields }, { upsert: true, projection: { _id: 1 } }),
      );
      const report = { _id, ...fields };
      await openCase(report);
      return { report: toOwnReport(report, { status: 'open' }), isNew: previous === null };
    },

    /**
     * Stores the request of an author for another look at a decision, and opens the case. The id contains the time of the
     * decision, so a second request about the same decision is rejected.
     */
    async appeal(
      uid: string,
      kind: 'review' | 'service',
      id: string,
      { about, text }: ReviewAppeal | ServiceAppeal,
    ): Promise<void> {
      const contents = kind === 'review' ? reviews : services;
      const decision = await contents.findForAppeal(uid, id, about);
      const { at, serviceId, title } = decision;
      const caseId = `${kind}-${id}`;
      const reason = 'appeal' as const;
      const fields = { caseId, kind, uid, serviceId, title, about, reason, text, createdAt: new Date(), version: null };
      const request = { _id: `${caseId}:${uid}:${about}:${at.getTime()}`, ...fields };
      const inserted = await reports.insertOne(request).catch((error: unknown) => {
        if (!hasErrorCode(error, 'duplicateKey')) throw error;
      });
      await contents.setAppealed(id, about, decision);
      if (!inserted) throw new ForbiddenError('You have already asked for another look at this decision.');
      await openCase(request);
    },

    /** Returns the reports of a customer, newest first. */
    async findReportsOf(uid: string, { limit, after }: OwnReportsQuery): Promise<Page<OwnReport>> {
      const { rows, ...page } = await findPage(reports, {
        listKey: ['own reports', uid],
        filter: { uid, reason: { $ne: 'appeal' } },
        order: newestFirst,
        limit,
        after,
      });
      const caseIds = rows.map(({ caseId }) => caseId);
      const [found, contents] = await Promise.all([
        cases.find({ _id: { $in: caseIds } }, readTimeout).toArray(),
        findContents({ reviews, services }, caseIds),
      ]);
      const caseById = new Map(found.map((document) => [document._id, document]));
      return {
        ...page,
        rows: rows.map((row) => {
          const content = contents.get(targetOf(row.caseId).id);
          return toOwnReport(row, statusOf(row, caseById.get(row.caseId), content?.hidden), content);
        }),
      };
    },

    async eraseReportsOf(uid: string): Promise<void> {
      await reports.deleteMany({ uid });
    },

    /** Opens the cases of reports whose requests were interrupted, for example by a crash. */
    async sweep(now = new Date()): Promise<void> {
      const interrupted = { version: null, createdAt: { $lt: new Date(now.getTime() - maxReportDurationMs) } };
      const found = await reports.find(interrupted, readTimeout).toArray();
      await runEach(found, openCase, 'Some cases could not be opened');
    },
  };
}

function toOwnReport(
  document: ReportDocument,
  status: Pick<OwnReport, 'status'>,
  content?: ModeratedContent,
): OwnReport {
  const { caseId, serviceId, title, about, reason, text, createdAt } = document;
  return {
    target: { ...targetOf(caseId), serviceId: serviceId.toHexString(), title, ...describe(content, about) },
    about,
    reason: reason as ReportReason, // Customers read their requests for another look elsewhere.
    text,
    createdAt: createdAt.toISOString(),
    ...status,
  };
}

/** Returns the author and the first words of the reported part, as far as the sender of the report can read them. */
function describe(content: ModeratedContent | undefined, about: ReportedPart): { author?: string; excerpt?: string } {
  const { review, service, hidden, isPublic } = content ?? {};
  const reply = about === 'reply' ? review?.reply : undefined;
  const author = reply?.name ?? review?.customer ?? service?.listerName;
  const words = reply?.text ?? review?.review ?? service?.description;
  const isVisible = isPublic && !(about === 'reply' && hidden?.reply);
  return {
    ...(author && { author }),
    ...(isVisible && words && { excerpt: Array.from(words).slice(0, limits.excerptLength).join('') }),
  };
}
