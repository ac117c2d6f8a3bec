import { type ModerationCase, type OwnReport, type ReportedPart, reportedPart } from '@rtr/shared';
import type { CaseDocument, ReportDocument } from '../database/documents/moderation.ts';
import { findHidden, hiddenPicturesOf } from '../pictures/find-hidden.ts';

type Entry = CaseDocument['history'][number];
type HiddenParts = ModerationCase['hidden'];

export function targetOf(caseId: string): Pick<OwnReport['target'], 'kind' | 'id'> {
  const [kind, id = ''] = caseId.split('-');
  return { kind: kind === 'review' ? 'review' : 'service', id };
}

/**
 * Returns the action that has answered a report: the first action after the report. Returns undefined while the report is
 * open.
 */
export function findAnswer({ version }: Pick<ReportDocument, 'version'>, history: readonly Entry[]): Entry | undefined {
  return version === null ? undefined : history.find((entry) => entry.version > version);
}

/**
 * Returns the outcome of a moderation case: “hidden” if any part is hidden. `hidden` contains the parts that are hidden
 * now. It is undefined if the review or service does not exist any more.
 */
export function outcomeOf(
  { _id, history, pending = [] }: CaseDocument,
  hidden: HiddenParts | undefined,
): NonNullable<ModerationCase['outcome']> {
  const isHiddenPart = (part: ReportedPart) => {
    const isApplied = hidden !== undefined && !pending.includes(part);
    // `hidden` no longer contains a hidden reply or picture after it was removed or replaced. Then the history of the case
    // shows whether this part is hidden. A whole review or service needs only `hidden`.
    if (isApplied && (hidden[part] || part === targetOf(_id).kind)) return hidden[part] !== undefined;
    return isHiddenBy(history, part);
  };
  return hiddenPicturesOf(history).length > 0 || reportedPart.options.some(isHiddenPart) ? 'hidden' : 'kept';
}

/** Returns the status of a report, and its outcome if a moderator has answered it. */
export function statusOf(
  report: ReportDocument,
  document: CaseDocument | undefined,
  hidden: HiddenParts | undefined,
): Pick<OwnReport, 'status' | 'outcome' | 'hiddenPart'> {
  const answer = document && findAnswer(report, document.history);
  if (!answer) return { status: 'open' };
  const hiddenPart = findHiddenPart(document, answer, [report.about], hidden);
  return hiddenPart ? { status: 'closed', outcome: 'hidden', hiddenPart } : { status: 'closed', outcome: 'kept' };
}

/**
 * Returns the part of a review or service to show as hidden in a report. `answer` is the action with which a moderator
 * answered the report. The function returns the first hidden part in this order: the whole review or service, the reported
 * parts, and the part that `answer` has hidden. If none of these parts is hidden, the function returns undefined.
 */
function findHiddenPart(
  document: CaseDocument,
  answer: Entry,
  reportedParts: readonly ReportedPart[],
  hidden: HiddenParts | undefined,
): ReportedPart | undefined {
  const parts = [targetOf(document._id).kind, ...reportedParts, ...(answer.action === 'hide' ? [answer.part] : [])];
  return parts.find((part) => isHidden(document, part, answer, hidden));
}

/**
 * Returns true if a part counts as hidden. `answer` is the action with which a moderator answered the report.
 *
 * A part counts as hidden in each of these cases:
 * - The part is hidden now, and the newest action on it is applied.
 * - `answer` has hidden the reply, and no moderator has restored it. The reply counts as hidden even after it was removed or
 *   replaced. For pictures, the same applies to each picture, and one hidden picture is enough.
 * - The newest action hides the part, but is not applied yet.
 * - The review or service does not exist any more, and the newest action hides the part.
 */
function isHidden(
  { _id, history, pending = [] }: CaseDocument,
  part: ReportedPart,
  answer: Entry,
  hidden: HiddenParts | undefined,
): boolean {
  const isApplied = hidden !== undefined && !pending.includes(part);
  if (isApplied && hidden[part]) return true;
  const hidesPart = answer.action === 'hide' && answer.part === part && part !== targetOf(_id).kind;
  if (isApplied && !hidesPart) return false;
  // Entries that older versions of the API have stored may have no `pictures`.
  if (hidesPart && answer.pictures) {
    const hiddenPictures = hiddenPicturesOf(history);
    return answer.pictures.some((url) => findHidden(hiddenPictures, url));
  }
  return isHiddenBy(history, part);
}

/** Returns true if the newest action on this part, apart from 'dismiss', is 'hide'. */
function isHiddenBy(history: readonly Entry[], part: ReportedPart): boolean {
  return history.findLast((entry) => entry.part === part && entry.action !== 'dismiss')?.action === 'hide';
}
