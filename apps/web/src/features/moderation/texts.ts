import type { CaseReport, ReportedPart, ReportReason } from '@rtr/shared';

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

export const reportNames: Record<CaseReport['reason'], string> = {
  ...reasonNames,
  appeal: 'Request for another look',
};

export const partNames: Record<ReportedPart, string> = {
  review: 'Review',
  reply: 'Reply',
  picture: 'Pictures',
  service: 'Service',
  message: 'Message',
};
