import {
  type CaseStatus,
  limits,
  type ModerationCase,
  type ModerationInput,
  type ModerationQuery,
  reportedPart,
} from '@rtr/shared';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { CaseDocument } from '../database/documents/moderation.ts';
import { cursorValue, findPage, type Page, type SortOrder } from '../database/pagination.ts';
import { InvalidInputError, NotFoundError, OutdatedVersionError, UnavailableError } from '../errors.ts';
import type { AuditStore } from '../operations/audit.store.ts';
import type { HiddenPictureStore } from '../pictures/hidden-pictures.store.ts';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import { runEach } from '../run-each.ts';
import type { ServiceModerationStore } from '../services/moderation.store.ts';
import { createActionApplier } from './apply-action.ts';
import { findContents } from './find-contents.ts';
import { findAnswer, outcomeOf, targetOf } from './outcomes.ts';

const noReplacedPicture = 'No replaced or removed picture is hidden. Read the case again.';

/** The maximum number of attempts to record an action in a moderation case. An attempt fails if the case changes at the same time. */
const maxAttempts = 5;

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

interface ModerationDependencies {
  reviews: Pick<ReviewModerationStore, 'findForModeration' | 'hasPart' | 'setHidden'>;
  services: Pick<ServiceModerationStore, 'findForModeration' | 'exists' | 'setHidden'>;
  hiddenPictures: HiddenPictureStore;
  audit: AuditStore;
}

export type ModerationStore = ReturnType<typeof createModerationStore>;

/**
 * Creates the store of the moderation cases.
 *
 * A case contains all reports of one review or service, and the actions of moderators. Reports and actions are numbered
 * together: each of them increments the `version` of the case, and the new number becomes its own `version`. A report is
 * open until the case has an action with a higher number. The first such action answers the report.
 */
export function createModerationStore(
  { cases, reports }: Pick<Collections, 'cases' | 'reports'>,
  { reviews, services, hiddenPictures, audit }: ModerationDependencies,
) {
  async function toCases(documents: readonly CaseDocument[]): Promise<ModerationCase[]> {
    const caseIds = documents.map(({ _id }) => _id);
    const contents = await findContents({ reviews, services }, caseIds);
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
          ...(status === 'closed' && { outcome: outcomeOf(document, content?.hidden) }),
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
    async act(by: string, _id: string, input: ModerationInput): Promise<ModerationCase> {
      const { action, part, replaced, reason, version } = input;
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
        const pictures = isAboutPictures
          ? await hiddenPictures.findTargets({ action, replaced }, current, kind, id)
          : undefined;
        const exists = async () => {
          if (pictures) return pictures.length > 0;
          return kind === 'service'
            ? services.exists(id)
            : reviews.hasPart(id, actedPart === 'reply' ? 'reply' : 'review');
        };
        if (action !== 'dismiss' && !(await exists())) throw new NotFoundError(replaced ? noReplacedPicture : noTarget);
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

    /** Applies the actions of moderators whose requests were interrupted, for example by a crash. */
    async sweep(): Promise<void> {
      const found = await cases.find({ pending: { $in: reportedPart.options } }, readTimeout).toArray();
      const unfinished = found.flatMap(({ _id, pending = [] }) => pending.map((part) => ({ _id, part })));
      await runEach(unfinished, ({ _id, part }) => applyNewestAction(_id, part), 'Some actions could not be finished');
    },
  };
}
