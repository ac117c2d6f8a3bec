import {
  type CaseStatus,
  limits,
  type ModerationCase,
  type ModerationInput,
  type ModerationQuery,
  type OwnReport,
  type OwnReportsQuery,
  type ReportedPart,
  type ReportReason,
  reportedPart,
} from '@rtr/shared';
import { ObjectId } from 'mongodb';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { CaseDocument, ReportDocument } from '../database/documents/moderation.ts';
import { cursorValue, findPage, type Page, type SortOrder } from '../database/pagination.ts';
import { ForbiddenError, InvalidInputError, NotFoundError, OutdatedVersionError, UnavailableError } from '../errors.ts';
import type { AuditStore } from '../operations/audit.store.ts';
import type { HiddenPictureStore } from '../pictures/hidden-pictures.store.ts';
import type { Quotas } from '../quotas/quotas.store.ts';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import type { ServiceStore } from '../services/services.store.ts';
import { createActionApplier } from './apply-action.ts';
import { findAnswer, outcomeOf, statusOf, targetOf } from './outcomes.ts';

type Kind = ReportDocument['kind'];

/** The maximum number of attempts to record an action in a case. An attempt fails if the case changes at the same time. */
const maxAttempts = 5;
/** A report that is older than this and has no version yet belongs to an interrupted request. */
const maxReportDurationMs = 60_000;

const caseOrders: Record<CaseStatus, SortOrder> = {
  open: {
    fields: [
      ['statusSince', 1, cursorValue.date],
      ['_id', 1, cursorValue.text],
    ],
  },
  closed: {
    fields: [
      ['statusSince', -1, cursorValue.date],
      ['_id', -1, cursorValue.text],
    ],
  },
};

const newestReports: SortOrder = {
  fields: [
    ['createdAt', -1, cursorValue.date],
    ['_id', -1, cursorValue.text],
  ],
};

interface NewReport {
  reason: ReportReason;
  text: string;
  about: ReportedPart;
}

interface ModerationDependencies {
  reviews: Pick<ReviewModerationStore, 'findForReport' | 'findForModeration' | 'hasPart' | 'setHidden'>;
  services: Pick<ServiceStore, 'findForReport' | 'findForModeration' | 'hasPart' | 'setHidden'>;
  hiddenPictures: HiddenPictureStore;
  audit: AuditStore;
  /** The quotas of customers. Without quotas, the number of reports is not limited. */
  quotas?: Pick<Quotas, 'addReport'> | undefined;
}

export type ModerationStore = ReturnType<typeof createModerationStore>;

/**
 * Creates the store of reports and cases.
 *
 * A case contains all reports of one review or service, and the actions of moderators. Each report and each action increases
 * the version of the case, and stores the new version. A report is open until there is an action with a later version. The
 * first such action has answered the report.
 */
export function createModerationStore(
  { cases, reports }: Pick<Collections, 'cases' | 'reports'>,
  { reviews, services, hiddenPictures, audit, quotas }: ModerationDependencies,
) {
  const storeOf = (kind: Kind) => (kind === 'review' ? reviews : services);

  /**
   * Opens the case of a new report, and stores the version of the case in the report. The report itself is stored before
   * that. So if a moderator closes the case at the same time, the case is opened again.
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

  /** Finds the reviews and services of these cases by their ids. */
  async function findContents(
    caseIds: readonly string[],
  ): Promise<Map<string, Pick<ModerationCase, 'review' | 'service' | 'hidden'>>> {
    const targets = caseIds.map(targetOf);
    const idsOf = (kind: Kind) => targets.filter((target) => target.kind === kind).map(({ id }) => id);
    const [foundReviews, foundServices] = await Promise.all([
      reviews.findForModeration(idsOf('review')),
      services.findForModeration(idsOf('service')),
    ]);
    return new Map([...foundReviews, ...foundServices]);
  }

  async function toCases(documents: readonly CaseDocument[]): Promise<ModerationCase[]> {
    const contents = await findContents(documents.map(({ _id }) => _id));
    return Promise.all(
      documents.map(async (document) => {
        const { _id, status, version, statusSince, history } = document;
        const content = contents.get(targetOf(_id).id);
        const newest = { ...readTimeout, sort: { createdAt: -1, _id: -1 }, limit: limits.reportsPerCase } as const;
        const [reportCount, newestReports] = await Promise.all([
          reports.countDocuments({ caseId: _id }, readTimeout),
          reports.find({ caseId: _id }, newest).toArray(),
        ]);
        return {
          _id,
          status,
          ...(status === 'closed' && { outcome: outcomeOf(document, newestReports, content?.hidden) }),
          version,
          statusSince: statusSince.toISOString(),
          hidden: {},
          ...content,
          reportCount,
          reports: newestReports.map((report) => ({
            about: report.about,
            reason: report.reason,
            text: report.text,
            createdAt: report.createdAt.toISOString(),
            status: findAnswer(report, history) ? ('closed' as const) : ('open' as const),
          })),
          history: history.map(({ action, part, reason, at, by }) => ({
            action,
            part,
            reason,
            at: at.toISOString(),
            by,
          })),
        };
      }),
    );
  }

  async function toCase(document: CaseDocument): Promise<ModerationCase> {
    const [only] = await toCases([document]);
    if (!only) throw new Error('A case has no content.');
    return only;
  }

  async function findCase(_id: string): Promise<CaseDocument> {
    const found = await cases.findOne({ _id }, readTimeout);
    if (!found) throw new NotFoundError('No case has this id.');
    return found;
  }

  const applyNewestAction = createActionApplier({ cases }, findCase, { reviews, services, hiddenPictures });

  return {
    async reportReview(uid: string, id: string, report: NewReport): Promise<{ report: OwnReport; isNew: boolean }> {
      const review = await reviews.findForReport(id, report.about);
      return add(uid, { kind: 'review', id, ...review }, report);
    },

    async reportService(uid: string, id: string, report: NewReport): Promise<{ report: OwnReport; isNew: boolean }> {
      const service = await services.findForReport(id, report.about);
      return add(uid, { kind: 'service', id, serviceId: new ObjectId(id), ...service }, report);
    },

    /** Returns the reports of a customer, newest first. */
    async findReportsOf(uid: string, { limit, after }: OwnReportsQuery): Promise<Page<OwnReport>> {
      const { rows, ...page } = await findPage(reports, {
        listKey: ['own reports', uid],
        filter: { uid },
        order: newestReports,
        limit,
        after,
      });
      const caseIds = rows.map(({ caseId }) => caseId);
      const [found, contents] = await Promise.all([
        cases.find({ _id: { $in: caseIds } }, readTimeout).toArray(),
        findContents(caseIds),
      ]);
      const caseById = new Map(found.map((document) => [document._id, document]));
      return {
        ...page,
        rows: rows.map((row) => {
          const hidden = contents.get(targetOf(row.caseId).id)?.hidden;
          return toOwnReport(row, statusOf(row, caseById.get(row.caseId), hidden));
        }),
      };
    },

    async findCases({ status = 'open', limit, after }: ModerationQuery): Promise<Page<ModerationCase>> {
      const { rows, ...page } = await findPage(cases, {
        listKey: ['cases', status],
        filter: { status },
        order: caseOrders[status],
        limit,
        after,
      });
      return { ...page, rows: await toCases(rows) };
    },

    /**
     * Records an action of a moderator, closes the case, and hides or shows the content. If `version` is not the current
     * version of the case, throws an OutdatedVersionError.
     */
    async act(by: string, _id: string, { action, part, reason, version }: ModerationInput): Promise<ModerationCase> {
      const { kind, id } = targetOf(_id);
      const actedPart = part ?? kind;
      if (kind === 'service' ? actedPart === 'review' || actedPart === 'reply' : actedPart === 'service')
        throw new InvalidInputError(`A ${kind} has no such part.`, [
          { path: 'body.part', message: `is not a part of a ${kind}` },
        ]);
      const target = actedPart === kind ? kind : `${kind} ${actedPart}`;
      const noTarget = `The ${target} does not exist any more. Dismiss the reports.`;
      for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
        const current = await findCase(_id);
        if (version !== undefined && version !== current.version)
          throw new OutdatedVersionError(
            'This case has changed in the meantime. Read it again, and repeat the action if it is still right.',
            await toCase(current),
          );
        const isAboutPictures = action !== 'dismiss' && actedPart === 'picture';
        const pictures = isAboutPictures ? await hiddenPictures.findTargets(action, current, kind, id) : undefined;
        const exists = async () => (pictures ? pictures.length > 0 : storeOf(kind).hasPart(id, actedPart));
        if (action !== 'dismiss' && !(await exists())) throw new NotFoundError(noTarget);
        const nextVersion = current.version + 1;
        const at = new Date();
        const entry = { action, part: actedPart, reason, at, by, version: nextVersion, ...(pictures && { pictures }) };
        const outcome = await audit.record({ action: `${action} ${target}`, target: id, by, reason }, async () => {
          const { matchedCount } = await cases.updateOne(
            { _id, version: current.version },
            {
              $set: { version: nextVersion, status: 'closed', ...(current.status === 'open' && { statusSince: at }) },
              $push: { history: entry },
              ...(action !== 'dismiss' && { $addToSet: { pending: actedPart } }),
            },
          );
          if (matchedCount === 0) return 'outdated';
          return action === 'dismiss' ? 'done' : applyNewestAction(_id, actedPart);
        });
        if (outcome === 'missing') throw new NotFoundError(noTarget);
        if (outcome !== 'outdated') return toCase(await findCase(_id));
      }
      throw new UnavailableError('This case is changing right now. Send your action again.', 1);
    },

    async eraseReportsOf(uid: string): Promise<void> {
      await reports.deleteMany({ uid });
    },

    /**
     * Finishes interrupted requests, for example after a crash: opens the cases of reports, and applies the actions of
     * moderators.
     */
    async sweep(now = new Date()): Promise<void> {
      const interrupted = { version: null, createdAt: { $lt: new Date(now.getTime() - maxReportDurationMs) } };
      const failures: unknown[] = [];
      const addFailure = (error: unknown) => failures.push(error);
      for (const report of await reports.find(interrupted, readTimeout).toArray())
        await openCase(report).catch(addFailure);
      const unfinished = { pending: { $in: reportedPart.options } };
      for (const { _id, pending = [] } of await cases.find(unfinished, readTimeout).toArray())
        for (const part of pending) await applyNewestAction(_id, part).catch(addFailure);
      if (failures.length > 0) throw new AggregateError(failures, 'Some reports or actions could not be finished');
    },
  };

  async function add(
    uid: string,
    {
      kind,
      id,
      owner,
      serviceId,
      title,
    }: { kind: Kind; id: string; owner: string | null; serviceId: ObjectId; title: string },
    { about, reason, text }: NewReport,
  ): Promise<{ report: OwnReport; isNew: boolean }> {
    if (owner === uid) throw new ForbiddenError('This is your own content. You can edit or delete it.');
    await quotas?.addReport(uid);
    const caseId = `${kind}-${id}`;
    const _id = `${caseId}:${uid}`;
    const fields = { caseId, kind, uid, serviceId, title, about, reason, text, createdAt: new Date(), version: null };
    const previous = await reports.findOneAndUpdate(
      { _id },
      { $set: fields },
      { upsert: true, projection: { _id: 1 } },
    );
    const report = { _id, ...fields };
    await openCase(report);
    return { report: toOwnReport(report, { status: 'open' }), isNew: previous === null };
  }
}

function toOwnReport(document: ReportDocument, status: Pick<OwnReport, 'status'>): OwnReport {
  const { caseId, serviceId, title, about, reason, text, createdAt } = document;
  return {
    target: { ...targetOf(caseId), serviceId: serviceId.toHexString(), title },
    about,
    reason,
    text,
    createdAt: createdAt.toISOString(),
    ...status,
  };
}
