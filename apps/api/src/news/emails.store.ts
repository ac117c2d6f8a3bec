import { randomBytes } from 'node:crypto';
import { hasErrorCode, readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { InboxDocument } from '../database/documents/inboxes.ts';
import { NotFoundError, notFound } from '../errors.ts';

/**
 * For how long no other API instance sends the email of a customer. It is longer than the timeouts of the mail server
 * together. If nothing is sent, the news is checked again after this time.
 */
const leaseMs = 5 * 60_000;

/** An inbox as it was before an API instance has claimed it. */
export type ClaimedInbox = InboxDocument & Required<Pick<InboxDocument, 'emails' | 'unsubscribeKey'>>;

export type NewsEmailStore = ReturnType<typeof createNewsEmailStore>;

/** Creates the store of the customers who get emails about their news. It stores no addresses. */
export function createNewsEmailStore({ inboxes }: Pick<Collections, 'inboxes'>) {
  /**
   * A filter for a claimed inbox, if no email was recorded since then, and if the customer has not switched emails off. Each of
   * these changes `sentUntil`.
   */
  const unchangedSinceClaim = ({ _id, emails }: ClaimedInbox) => ({ _id, 'emails.sentUntil': emails.sentUntil });

  async function switchOn(uid: string, now: Date): Promise<void> {
    const inbox = await inboxes.findOne({ _id: uid }, readTimeout);
    if (inbox?.emails) return;
    const unsubscribeKey = inbox?.unsubscribeKey ?? randomBytes(24).toString('base64url');
    const update = {
      $set: { unsubscribeKey, emails: { sentUntil: now, nextCheckAt: now } },
      $setOnInsert: { seenAt: new Date(0) },
    };
    const write = () => inboxes.updateOne({ _id: uid }, update, { upsert: true });
    await write().catch((error: unknown) => {
      // Another request of the same customer has inserted the inbox at the same time.
      if (hasErrorCode(error, 'duplicateKey')) return write();
      throw error;
    });
  }

  return {
    async isOn(uid: string): Promise<boolean> {
      return (await inboxes.findOne({ _id: uid }, readTimeout))?.emails !== undefined;
    },

    /** Switches emails on or off. Idempotent. News from before is not sent. */
    async set(uid: string, isOn: boolean, now = new Date()): Promise<void> {
      if (isOn) await switchOn(uid, now);
      else await inboxes.updateOne({ _id: uid }, { $unset: { emails: 1 } });
    },

    /** Switches emails off. Idempotent. Throws a NotFoundError if no customer has this key. */
    async unsubscribe(unsubscribeKey: string): Promise<void> {
      const { matchedCount } = await inboxes.updateOne({ unsubscribeKey }, { $unset: { emails: 1 } });
      if (matchedCount === 0) throw new NotFoundError(notFound.unsubscribeKey);
    },

    /**
     * Takes the inbox whose news has waited longest for a check. Returns undefined if no check is due. Until the lease ends,
     * no other API instance takes the inbox, so each email is sent by only one instance.
     */
    async claim(now: Date): Promise<ClaimedInbox | undefined> {
      const inbox = await inboxes.findOneAndUpdate(
        { 'emails.nextCheckAt': { $lte: now } },
        { $set: { 'emails.nextCheckAt': new Date(now.getTime() + leaseMs) } },
        { sort: { 'emails.nextCheckAt': 1 }, returnDocument: 'before' },
      );
      return (inbox as ClaimedInbox | null) ?? undefined;
    },

    /** Records that the mail server has accepted an email with the news up to `sentUntil`. */
    async recordSent(claimed: ClaimedInbox, sentUntil: Date, nextCheckAt: Date): Promise<void> {
      await inboxes.updateOne(unchangedSinceClaim(claimed), {
        $set: { 'emails.sentUntil': sentUntil, 'emails.nextCheckAt': nextCheckAt },
      });
    },

    async postpone(claimed: ClaimedInbox, nextCheckAt: Date): Promise<void> {
      await inboxes.updateOne(unchangedSinceClaim(claimed), { $set: { 'emails.nextCheckAt': nextCheckAt } });
    },
  };
}
