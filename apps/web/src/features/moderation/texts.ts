import type { ReportedPart, ReportReason } from '@rtr/shared';

/** The texts about reports and moderation that several components show. */
export const moderationText = {
  name: 'Moderation',
  yourReports: 'Your reports',
};

export const reasonNames: Record<ReportReason, string> = {
  spam: 'Spam or advertising',
  abuse: 'Insults, threats or hate',
  private: 'Private information about someone',
  fake: 'False or misleading',
  other: 'Something else',
};

export const partNames: Record<ReportedPart, string> = {
  review: 'Review',
  reply: 'Reply',
  picture: 'Pictures',
  service: 'Service',
};

/**
 * The content that a moderator can hide or restore: a part of a review or of a service. 'replaced pictures' are hidden
 * pictures that the customer has since replaced or removed. They can only be restored.
 */
export type ModeratedPart = ReportedPart | 'replaced pictures';

export const moderatedPartNames: Record<ModeratedPart, string> = {
  ...partNames,
  'replaced pictures': 'Earlier pictures (replaced or removed)',
};
