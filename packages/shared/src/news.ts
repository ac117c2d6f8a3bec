import * as z from 'zod/mini';
import { after, id, limit, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { moderationOutcome, reportedPart } from './moderation.ts';

/**
 * The kinds of news. `review`: someone has reviewed one's service. `reply`: a lister has replied to one's review. `useful`:
 * customers have marked one's review as useful, 1, 5, 10, … in total. `decision`: a moderator has decided about one's
 * content. `report`: a moderator has decided about one's report. `message`: a conversation has unread messages.
 */
export const newsKind = z.enum(['review', 'reply', 'useful', 'decision', 'report', 'message']);

/** An entry of the news. The API derives it from the data, so it disappears together with its cause. */
export const newsEntry = z.strictObject({
  kind: newsKind,
  at: timestamp,
  /** True if the entry is newer than the time of the last `POST /news/seen`. */
  isNew: z.boolean(),
  serviceId: id,
  /** The title of the service. */
  title: z.string(),
  /** Present if the entry is about a review or its reply. */
  reviewId: z.optional(id),
  /** The id of the conversation. Present if the entry is about a message that is one's own, or unread. */
  requestId: z.optional(id),
  /** The name of the person who wrote the review, the reply or the message. Absent for the other kinds. */
  name: z.optional(z.string()),
  /** The stars of the new review, or the number of useful votes. */
  rating: z.optional(z.int()),
  count: z.optional(z.int()),
  /** What the moderator decided about, and the result. Present for the kinds 'decision' and 'report'. */
  part: z.optional(reportedPart),
  outcome: z.optional(moderationOutcome),
});

export const newsQuery = z.strictObject({ limit: z.optional(limit), after: z.optional(after) });

/** The number of new entries, up to `limits.maxNewsCount`. */
export const newsCount = z.strictObject({ count: z.int().check(z.gte(0), z.lte(limits.maxNewsCount)) });

/** Marks all entries up to this time as seen. It is the time of the newest entry that the page has shown. */
export const newsSeenInput = z.strictObject({ until: timestamp });

/** The setting of emails about news. */
export const newsEmails = z.strictObject({
  /** False if the operator has set no mail server. Then no emails are sent. */
  isAvailable: z.boolean(),
  isOn: z.boolean(),
});

export const newsEmailsInput = z.strictObject({ isOn: z.boolean() });

/** The key in the links of emails that switch the emails off. It needs no login, so it cannot be guessed. */
export const unsubscribeKey = z.string().check(z.regex(/^[\w-]{1,64}$/));

export type NewsKind = z.infer<typeof newsKind>;
export type NewsEntry = z.infer<typeof newsEntry>;
export type NewsQuery = z.infer<typeof newsQuery>;
export type NewsCount = z.infer<typeof newsCount>;
export type NewsSeenInput = z.infer<typeof newsSeenInput>;
export type NewsEmails = z.infer<typeof newsEmails>;
