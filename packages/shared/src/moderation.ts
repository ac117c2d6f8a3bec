import * as z from 'zod/mini';
import { after, hiddenContent, id, limit, text, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { review } from './review.ts';
import { service } from './service.ts';

export const reportReason = z.enum(['spam', 'abuse', 'private', 'fake', 'other']);

/**
 * The parts of a review that a customer can report. A moderator can hide all of them, except that pictures are removed for
 * good. `servicePart` has the parts of a service.
 */
export const reviewPart = z.enum(['review', 'reply', 'picture']);
export const servicePart = z.enum(['service', 'picture']);
export const reportedPart = z.enum([...reviewPart.options, 'service', 'message']);

const reportText = text(limits.reportTextLength);

export const reviewReport = z.strictObject({
  reason: reportReason,
  text: z._default(reportText, ''),
  about: z._default(reviewPart, 'review'),
});

export const serviceReport = z.strictObject({
  reason: reportReason,
  text: z._default(reportText, ''),
  about: z._default(servicePart, 'service'),
});

/** A report of a message by its recipient. */
export const messageReport = z.strictObject({ reason: reportReason, text: z._default(reportText, '') });

const appealText = text(limits.reportTextLength).check(z.regex(/\S/, { error: 'must not be empty' }));

/** With this request, the author of hidden or removed content asks moderators for another look. */
export const reviewAppeal = z.strictObject({ text: appealText, about: z._default(reviewPart, 'review') });
export const serviceAppeal = z.strictObject({ text: appealText, about: z._default(servicePart, 'service') });

/**
 * The status of a moderation case. A case is open while it has reports, or a request for another look, about which no
 * moderator has decided.
 */
export const caseStatus = z.enum(['open', 'closed']);
/** The outcome of a report or of a decision: content was hidden or removed, or the content stays visible. */
export const moderationOutcome = z.enum(['hidden', 'kept']);

/** The reported review, service or message. `title` is always the title of the service. */
export const reportTarget = z.strictObject({
  kind: z.enum(['review', 'service', 'message']),
  id,
  serviceId: id,
  title: z.string(),
  /** The author of the reported part. Absent if the content does not exist any more. */
  author: z.optional(z.string()),
  /** The first words of the reported part. Absent if the content is not public any more. */
  excerpt: z.optional(z.string()),
});

/** The fields of a report that its sender can read. */
export const ownReport = z.strictObject({
  target: reportTarget,
  about: reportedPart,
  reason: reportReason,
  text: z.string(),
  createdAt: timestamp,
  status: caseStatus,
  /** Present if the status is closed. Changes when the content is hidden or restored later. */
  outcome: z.optional(moderationOutcome),
  /** The part that was hidden. It can differ from the reported part, `about`. Present if `outcome` is 'hidden'. */
  hiddenPart: z.optional(reportedPart),
});

export const ownReportsQuery = z.strictObject({ limit: z.optional(limit), after: z.optional(after) });

/** The id of a moderation case: the kind and the id of the reported review, service or message, such as `review-665f…`. */
export const caseId = z
  .string()
  .check(
    z.regex(/^(review|service|message)-[0-9a-f]{24}$/, { error: 'must be review-, service- or message- and an id' }),
  );

export const moderationAction = z.enum(['hide', 'dismiss', 'restore']);

/** The parts of a review or service that are hidden now, each with the time and the reason. */
export const hiddenParts = z.strictObject({
  review: z.optional(hiddenContent),
  reply: z.optional(hiddenContent),
  service: z.optional(hiddenContent),
  message: z.optional(hiddenContent),
});

/**
 * The fields of a report that moderators can read. They do not contain the name of the sender. With the reason 'appeal', the
 * author asks for another look at a decision.
 */
export const caseReport = z.strictObject({
  /** The sender: the lister of the service, the author of the review, or another customer. */
  by: z.enum(['lister', 'author', 'customer']),
  about: reportedPart,
  reason: z.enum([...reportReason.options, 'appeal']),
  text: z.string(),
  createdAt: timestamp,
  status: caseStatus,
});

/** An action of a moderator in the history of a case. `by` is the name of the moderator. */
export const caseAction = z.strictObject({
  action: moderationAction,
  part: reportedPart,
  reason: z.string(),
  at: timestamp,
  by: z.string(),
});

/** A reported message as moderators read it: without its conversation, and with the number of its photos only. */
export const reportedMessage = z.strictObject({
  serviceId: id,
  serviceTitle: z.string(),
  /** The name of the sender. Empty if this account was closed. */
  name: z.string(),
  text: z.string(),
  photoCount: z.int().check(z.gte(0)),
  createdAt: timestamp,
});

/** A moderation case: a review or service with its current content, and the reports about it. Only moderators can read it. */
export const moderationCase = z.strictObject({
  _id: caseId,
  status: caseStatus,
  /**
   * Identifies the state of the case and of its content. It changes with each report, each action, and each edit of the
   * content. A moderator sends it with an action, so that the action is rejected if something has changed.
   */
  version: z.string(),
  /** The time when the status last changed. */
  statusSince: timestamp,
  /**
   * The reported review, including its hidden parts. Absent if the case is about a service, or if the review does not exist
   * any more.
   */
  review: z.optional(review),
  service: z.optional(service),
  /** The reported message, without the rest of its conversation. Moderators cannot read its photos. */
  message: z.optional(reportedMessage),
  hidden: hiddenParts,
  /** Present if the moderator has written the content or listed the service. Then another moderator must act. */
  isOwn: z.optional(z.literal(true)),
  /** The number of reports, including requests for another look. */
  reportCount: z.int().check(z.gte(0)),
  /** The newest reports. */
  reports: z.array(caseReport).check(z.maxLength(limits.reportsPerCase)),
  /** The actions of moderators, oldest first. */
  history: z.array(caseAction),
});

/**
 * The query parameters for the list of moderation cases. Open cases are sorted by waiting time, longest first. Closed cases are sorted
 * by date, newest first.
 */
export const moderationQuery = z.strictObject({
  status: z.optional(caseStatus),
  limit: z.optional(limit),
  after: z.optional(after),
});

/**
 * An action of a moderator, which closes the case. Without `part`, the action is about the whole review or service. With the
 * part `picture`, `hide` removes the pictures for good, and `restore` only lifts the block of removed pictures.
 */
export const moderationInput = z
  .strictObject({
    action: moderationAction,
    part: z.optional(reportedPart),
    /** The text that the author of the hidden content reads. */
    reason: z._default(text(limits.moderationReasonLength), ''),
    version: z.string(),
  })
  .check(
    z.refine(({ action, reason }) => action === 'dismiss' || reason.trim() !== '', {
      path: ['reason'],
      error: 'must not be empty',
    }),
  );

export type ReportReason = z.infer<typeof reportReason>;
export type ReviewPart = z.infer<typeof reviewPart>;
export type ServicePart = z.infer<typeof servicePart>;
export type ReportedPart = z.infer<typeof reportedPart>;
export type ReviewReport = z.infer<typeof reviewReport>;
export type MessageReport = z.infer<typeof messageReport>;
export type ReportedMessage = z.infer<typeof reportedMessage>;
export type ServiceReport = z.infer<typeof serviceReport>;
export type ReviewAppeal = z.infer<typeof reviewAppeal>;
export type ServiceAppeal = z.infer<typeof serviceAppeal>;
export type CaseStatus = z.infer<typeof caseStatus>;
export type ModerationOutcome = z.infer<typeof moderationOutcome>;
export type OwnReport = z.infer<typeof ownReport>;
export type CaseReport = z.infer<typeof caseReport>;
export type OwnReportsQuery = z.infer<typeof ownReportsQuery>;
export type ModerationAction = z.infer<typeof moderationAction>;
export type ModerationCase = z.infer<typeof moderationCase>;
export type ModerationQuery = z.infer<typeof moderationQuery>;
export type ModerationInput = z.infer<typeof moderationInput>;
