import type { ModerationCase, OwnReport, ReportedPart } from '@rtr/shared';
import type { CaseDocument, ReportDocument } from '../database/documents/moderation.ts';

type Entry = CaseDocument['history'][number];
type HiddenParts = ModerationCase['hidden'];

export function targetOf(caseId: string): Pick<OwnReport['target'], 'kind' | 'id'> {
  const [kind = '', id = ''] = caseId.split('-');
  return { kind: kind as OwnReport['target']['kind'], id };
}

/** Returns the newest action that hides or restores this part. */
export function newestDecision(history: readonly Entry[], part: ReportedPart): Entry | undefined {
  return history.findLast((entry) => entry.part === part && entry.action !== 'dismiss');
}

/**
 * Returns the action that has answered a report: the first action after the report. Returns undefined while the report is
 * open.
 */
export function findAnswer({ version }: Pick<ReportDocument, 'version'>, history: readonly Entry[]): Entry | undefined {
  return version === null ? undefined : history.find((entry) => entry.version > version);
}

/**
 * Returns the status of a report, and its outcome if a moderator has answered it. `hiddenPart` is the first hidden part in
 * this order: the whole content, the reported part, and the part that the answer has hidden. Pictures count as hidden if
 * the answer or a later action has removed them, even if they are allowed again.
 */
export function statusOf(
  { about, version }: ReportDocument,
  document: CaseDocument | undefined,
  hidden: HiddenParts | undefined,
): Pick<OwnReport, 'status' | 'outcome' | 'hiddenPart'> {
  const answer = document && findAnswer({ version }, document.history);
  if (!answer) return { status: 'open' };
  const parts = [targetOf(document._id).kind, about, ...(answer.action === 'hide' ? [answer.part] : [])];
  const hiddenPart = parts.find((part) =>
    part === 'picture'
      ? document.history.some((entry) => entry.version >= answer.version && isRemoval(entry))
      : isHidden(document, part, hidden),
  );
  return hiddenPart ? { status: 'closed', outcome: 'hidden', hiddenPart } : { status: 'closed', outcome: 'kept' };
}

const isRemoval = ({ action, part }: Entry) => action === 'hide' && part === 'picture';

/**
 * Returns true if a part is hidden. While the newest action is not applied yet, and after the content was erased, the history
 * of the case decides. A hidden reply can be erased without its review.
 */
function isHidden(
  { _id, history, pending = [] }: CaseDocument,
  part: Exclude<ReportedPart, 'picture'>,
  hidden: HiddenParts | undefined,
): boolean {
  const isApplied = hidden !== undefined && !pending.includes(part);
  if (isApplied && (hidden[part] || part === targetOf(_id).kind)) return hidden[part] !== undefined;
  return newestDecision(history, part)?.action === 'hide';
}
