import {
  limits,
  type MessageReport,
  type ModerationOutcome,
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
import type { MessageModerationStore } from '../requests/moderation.store.ts';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import { runEach } from '../run-each.ts';
import type { ServiceModerationStore } from '../services/moderation.store.ts';
import { findContents, type ModeratedContent } from './find-contents.ts';
import { findAnswer, statusOf, targetOf } from './outcomes.ts';

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
  messages: Pick<MessageModerationStore, 'findForReport' | 'findForModeration'>;
  quotas: Pick<Quotas, 'countDaily'>;
}

/** The answer of a moderator to a report, or to the request of an author for another look. */
export interface ReportAnswer extends Pick<ReportDocument, 'kind' | 'about' | 'title'> {
  at: Date;
  /** The id of the review, service or message. */
  id: string;
  serviceId: string;
  isAppeal: boolean;
  /** What the answer is about. It can differ from the reported part, `about`. */
  part: ReportedPart;
  outcome: ModerationOutcome;
}

export type ReportStore = ReturnType<typeof createReportStore>;

/**
 * Creates the store of the reports of customers, and of the requests of authors for another look at a decision. Each of them
 * opens the moderation case of its review, service or message.
 */
export function createReportStore(
  { cases, reports }: Pick<Collections, 'cases' | 'reports'>,
  { reviews, services, messages, quotas }: ReportDependencies,
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

  /** Adds a report, or replaces the earlier report of the customer about the same review, service or message. */
  async function add(
    fields: Pick<ReportDocument, 'uid' | 'kind' | 'serviceId' | 'title' | 'about' | 'reason' | 'text'>,
    id: string,
  ): Promise<{ report: OwnReport; isNew: boolean }> {
    const { uid, kind } = fields;
    const caseId = `${kind}-${id}`;
    const _id = `${caseId}:${uid}`;
    const stored = { ...fields, caseId, createdAt: new Date(), version: null };
    // A report that replaces an earlier one counts too, because moderators may read both.
    const previous = await quotas.countDaily('reports', uid, () =>
      reports.findOneAndUpdate({ _id }, { $set: stored }, { upsert: true, projection: { _id: 1 } }),
    );
    const report = { _id, ...stored };
    await openCase(report);
    return { report: toOwnReport(report, { status: 'open' }), isNew: previous === null };
  }

  return {
    async report(uid: string, kind: 'review' | 'service', id: string, report: ReviewReport | ServiceReport) {
      const contents = kind === 'review' ? reviews : services;
      const { owner, ...target } = await contents.findForReport(id, report.about);
      if (owner === uid) throw new ForbiddenError('This is your own content. You can edit or delete it.');
      return add({ uid, kind, ...target, ...report }, id);
    },

    /** Adds the report of a message by its recipient. */
    async reportMessage(uid: string, id: string, report: MessageReport) {
      const target = await messages.findForReport(id, uid);
      return add({ uid, kind: 'message', ...target, about: 'message', ...report }, id);
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
        findContents({ reviews, services, messages }, caseIds),
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

    /**
     * Returns the answers to the reports that a customer has sent since a time. There is no index by the time of the answer,
     * but a customer can send only a few reports a day.
     */
    async findAnswers(uid: string, since: Date): Promise<ReportAnswer[]> {
      const sent = await reports.find({ uid, createdAt: { $gt: since } }, readTimeout).toArray();
      if (sent.length === 0) return [];
      const options = { ...readTimeout, projection: { history: 1 } };
      const found = await cases.find({ _id: { $in: sent.map(({ caseId }) => caseId) } }, options).toArray();
      const historyOf = new Map(found.map(({ _id, history }) => [_id, history]));
      return sent.flatMap((report) => {
        const answer = findAnswer(report, historyOf.get(report.caseId) ?? []);
        if (!answer) return [];
        const { kind, about, title, serviceId, reason, caseId } = report;
        const isHidden = answer.action === 'hide';
        return [
          {
            kind,
            about,
            title,
            at: answer.at,
            id: targetOf(caseId).id,
            serviceId: serviceId.toHexString(),
            isAppeal: reason === 'appeal',
            part: isHidden ? answer.part : about,
            outcome: isHidden ? 'hidden' : 'kept',
          },
        ];
      });
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
  const { review, service, message, hidden, isReadable } = content ?? {};
  const reply = about === 'reply' ? review?.reply : undefined;
  const author = reply?.name ?? review?.customer ?? service?.listerName ?? message?.name;
  const words = reply?.text ?? review?.review ?? service?.description ?? message?.text;
  const isVisible = isReadable && !(about === 'reply' && hidden?.reply);
  return {
    ...(author && { author }),
    ...(isVisible && words && { excerpt: Array.from(words).slice(0, limits.excerptLength).join('') }),
  };
}
