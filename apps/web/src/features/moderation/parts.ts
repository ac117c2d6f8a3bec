import type { ModerationCase, ReportedPart } from '@rtr/shared';

/**
 * Returns the parts that a moderator can hide or remove, and the parts that a moderator can restore. If the whole review or
 * service is hidden, no further part can be hidden. The part that was reported last comes first in `hide`. Removed pictures
 * are in `restore` while they are blocked.
 */
export function partsOf({ review, service, message, hidden, history, reports }: ModerationCase) {
  const parts: ReportedPart[] = [];
  if (review) parts.push('review');
  if (review?.reply) parts.push('reply');
  if (review?.photos) parts.push('picture');
  if (service) parts.push('service');
  if (service?.img) parts.push('picture');
  if (message) parts.push('message');
  const isHidden = (part: ReportedPart) => part !== 'picture' && hidden[part] !== undefined;
  const reported = reports[0]?.about;
  const hide = hidden.review || hidden.service ? [] : parts.filter((part) => !isHidden(part));
  const areBlocked =
    history.findLast(({ part, action }) => part === 'picture' && action !== 'dismiss')?.action === 'hide';
  const restore: ReportedPart[] = [...parts.filter(isHidden), ...(areBlocked ? (['picture'] as const) : [])];
  return {
    hide: hide.toSorted((one, other) => Number(other === reported) - Number(one === reported)),
    restore,
  };
}
