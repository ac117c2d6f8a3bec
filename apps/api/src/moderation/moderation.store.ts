import {
  type CaseStatus,
  limits,
  type ModerationCase,
  type ModerationInput,
  type ModerationQuery,
  type OwnReport,
  type ReportedPart,
  reportedPart,
  reviewPart,
  servicePart,
} from '@rtr/shared';
import type { Customer } from '../auth/access-token.ts';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { CaseDocument } from '../database/documents/moderation.ts';
import { cursorValue, findPage, type Page, type SortOrder } from '../database/pagination.ts';
import { ForbiddenError, InvalidInputError, NotFoundError, OutdatedVersionError } from '../errors.ts';
import type { AuditStore } from '../operations/audit.store.ts';
import { newestPictureActions, type PictureRemoval } from '../pictures/remove-pictures.ts';
import type { MessageModerationStore } from '../requests/moderation.store.ts';
import type { ReviewModerationStore } from '../reviews/moderation.store.ts';
import { runEach } from '../run-each.ts';
import type { ServiceModerationStore } from '../services/moderation.store.ts';
import { createActionApplier } from './apply-action.ts';
import { findContents, type ModeratedContent } from './find-contents.ts';
import { findAnswer, targetOf } from './outcomes.ts';

const isAboutOwn = 'This is about your own service, review, reply or conversation. Another moderator must decide.';
const outdated =
  'This case or its content has changed in the meantime. Read it again, and repeat the action if it is still right.';

/** The parts of reported content that moderators can hide. */
const partsOf: Record<OwnReport['target']['kind'], readonly ReportedPart[]> = {
  review: reviewPart.options,
  service: servicePart.options,
  message: ['message'],
};

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
  reviews: Pick<ReviewModerationStore, 'findForModeration' | 'setHidden'>;
  services: Pick<ServiceModerationStore, 'findForModeration' | 'setHidden'>;
  messages: Pick<MessageModerationStore, 'findForModeration' | 'setHidden'>;
  removePictures: PictureRemoval;
  audit: AuditStore;
}

export type ModerationStore = ReturnType<typeof createModerationStore>;

/**
 * Creates the store of the moderation cases.
 *
 * A case contains all reports of one review, service or message, and the actions of moderators. Reports and actions are
 * numbered together: each of them increments the `version` of the case, and the new number becomes its own `version`. A
 * report is open until the case has an action with a higher number. The first such action answers the report.
 */
export function createModerationStore(
  { cases, reports }: Pick<Collections, 'cases' | 'reports'>,
  { removePictures, audit, ...contentStores }: ModerationDependencies,
) {
  /** Converts cases to the form that the moderator with this uid receives. */
  async function toCases(uid: string, documents: readonly CaseDocument[]): Promise<ModerationCase[]> {
    const caseIds = documents.map(({ _id }) => _id);
    const contents = await findContents(contentStores, caseIds);
    return Promise.all(
      documents.map(async (document) => {
        const { _id, status, statusSince, history } = document;
        const content = contents.get(targetOf(_id).id);
        const { review, service, message, hidden = {} } = content ?? {};
        const newest = { ...readTimeout, sort: { createdAt: -1, _id: -1 }, limit: limits.reportsPerCase } as const;
        const [reportCount, newestReports] = await Promise.all([
          reports.countDocuments({ caseId: _id }, readTimeout),
          reports.find({ caseId: _id }, newest).toArray(),
        ]);
        return {
          _id,
          status,
          version: versionOf(document, content),
          statusSince: statusSince.toISOString(),
          ...(review && { review }),
          ...(service && { service }),
          ...(message && { message }),
          hidden,
          ...(isOwn(uid, content) && { isOwn: true as const }),
          reportCount,
          reports: newestReports.map((report) => ({
            by: roleOf(report.uid, content),
            about: report.about,
            reason: report.reason,
            text: report.text,
            createdAt: report.createdAt.toISOString(),
            status: findAnswer(report, history) ? ('closed' as const) : ('open' as const),
          })),
          history: history.map(({ action, part, reason, at, name }) => ({
            action,
            part,
            reason,
            at: at.toISOString(),
            by: name,
          })),
        };
      }),
    );
  }

  async function toCase(uid: string, document: CaseDocument): Promise<ModerationCase> {
    const [only] = await toCases(uid, [document]);
    if (!only) throw new Error('A case has no content.');
    return only;
  }

  async function findCase(_id: string): Promise<CaseDocument> {
    const found = await cases.findOne({ _id }, readTimeout);
    if (!found) throw new NotFoundError('No case has this id.');
    return found;
  }

  const applyNewestAction = createActionApplier({ cases }, findCase, { ...contentStores, removePictures });

  return {
    async findCases(uid: string, { status = 'open', limit, after }: ModerationQuery): Promise<Page<ModerationCase>> {
      const { rows, ...page } = await findPage(cases, {
        listKey: ['cases', status],
        filter: { status },
        order: caseOrders[status],
        limit,
        after,
      });
      return { ...page, rows: await toCases(uid, rows) };
    },

    /**
     * Records an action of a moderator, closes the case, and hides, removes or restores the content. If `version` is not the
     * current version of the case and its content, throws an OutdatedVersionError.
     */
    async act(
      moderator: Pick<Customer, 'uid' | 'name'>,
      _id: string,
      { action, part, reason, version }: ModerationInput,
    ): Promise<ModerationCase> {
      const { uid, name } = moderator;
      const { kind, id } = targetOf(_id);
      const actedPart = part ?? kind;
      if (!partsOf[kind].includes(actedPart))
        throw new InvalidInputError(`A ${kind} has no such part.`, [
          { path: 'body.part', message: `is not a part of a ${kind}` },
        ]);
      const current = await findCase(_id);
      const content = (await findContents(contentStores, [_id])).get(id);
      if (isOwn(uid, content)) throw new ForbiddenError(isAboutOwn);
      if (version !== versionOf(current, content)) throw new OutdatedVersionError(outdated, await toCase(uid, current));

      const removed = [...newestPictureActions(current.history)].filter(([, newest]) => newest.action === 'hide');
      const pictures = action === 'hide' ? (content?.pictures ?? []) : removed.map(([url]) => url);
      const exists = {
        review: content,
        service: content,
        message: content,
        reply: content?.hasReply,
        picture: pictures.length > 0,
      };
      const target = actedPart === kind ? kind : `${kind} ${actedPart}`;
      const noTarget = `The ${target} does not exist any more. Dismiss the reports.`;
      if (action !== 'dismiss' && !exists[actedPart]) throw new NotFoundError(noTarget);

      const nextVersion = current.version + 1;
      const at = new Date();
      const isAboutPictures = action !== 'dismiss' && actedPart === 'picture';
      const entry = { action, part: actedPart, reason, at, by: uid, name, version: nextVersion };
      const outcome = await audit.record({ action: `${action} ${target}`, target: id, by: uid, reason }, async () => {
        const { matchedCount } = await cases.updateOne(
          { _id, version: current.version },
          {
            $set: { version: nextVersion, status: 'closed', ...(current.status === 'open' && { statusSince: at }) },
            $push: { history: { ...entry, ...(isAboutPictures && { pictures }) } },
            ...(action !== 'dismiss' && { $addToSet: { pending: actedPart } }),
          },
        );
        if (matchedCount === 0) return 'outdated';
        return action === 'dismiss' ? 'done' : applyNewestAction(_id, actedPart);
      });
      if (outcome === 'missing') throw new NotFoundError(noTarget);
      const changed = await toCase(uid, await findCase(_id));
      if (outcome === 'outdated') throw new OutdatedVersionError(outdated, changed);
      return changed;
    },

    /**
     * Applies the actions of moderators whose requests were interrupted, for example by a crash. Also repeats recent removals
     * of pictures.
     */
    async sweep(now = new Date()): Promise<void> {
      const found = await cases.find({ pending: { $in: reportedPart.options } }, readTimeout).toArray();
      const unfinished = found.flatMap(({ _id, pending = [] }) => pending.map((part) => ({ _id, part })));
      await runEach(
        unfinished,
        ({ _id, part }) => applyNewestAction(_id, part, now),
        'Some actions could not be finished',
      );
    },
  };
}

/** Returns a text that changes with each report, each action and each edit of the content. */
function versionOf({ version }: CaseDocument, content: ModeratedContent | undefined): string {
  return `${version} ${content?.contentVersion ?? ''}`;
}

/** True if the moderator has written or received the content, has written the reply, or has listed the service. */
function isOwn(uid: string, content: ModeratedContent | undefined): boolean {
  return content !== undefined && [content.lister, content.author, content.replier, content.recipient].includes(uid);
}

function roleOf(uid: string, content: ModeratedContent | undefined) {
  if (uid === content?.lister) return 'lister';
  return uid === content?.author ? 'author' : 'customer';
}
