import { createHash } from 'node:crypto';
import type { Identity } from '../auth/identity.ts';
import { isDatabaseUnavailable } from '../database/client.ts';
import { UnavailableError } from '../errors.ts';
import { runEach } from '../run-each.ts';
import type { ClaimedInbox, NewsEmailStore } from './emails.store.ts';
import type { MailOutcome, MailServer } from './mail-server.ts';
import type { NewsStore } from './news.store.ts';
import { createNewsEmail } from './news-email.ts';

const minuteMs = 60_000;
/** An email is sent if an entry was unread for this time. It also contains the newer entries. */
const unreadMs = 15 * minuteMs;
/** A customer gets at most one email in this time. */
const pauseMs = 60 * minuteMs;
/** The time after which an email is tried again to an address that the mail server has refused. */
const refusalPauseMs = 24 * 60 * minuteMs;
/** The maximum number of customers whose news one sweep checks. */
const checksPerSweep = 500;

interface NewsEmailsOptions {
  emails: NewsEmailStore;
  news: Pick<NewsStore, 'findUnread'>;
  identity: Pick<Identity, 'findVerifiedEmail'>;
  mailServer: MailServer;
  /** The public origin of the web app. */
  webOrigin: string;
  countEmail: (outcome: MailOutcome) => void;
  shutdownSignal?: AbortSignal | undefined;
}

/**
 * Creates the sweep that sends emails about news. Each API instance may run it at the same time, because a sweep takes each
 * inbox for itself before it checks the news. If the mail server, Firebase or the database is unavailable, the sweep ends, and
 * a later one sends the same news.
 */
export function createEmailSweep(options: NewsEmailsOptions) {
  const { emails, news, identity, mailServer, webOrigin, countEmail, shutdownSignal } = options;

  async function* claimInboxes(now: () => number): AsyncGenerator<ClaimedInbox> {
    for (let count = 0; count < checksPerSweep; count += 1) {
      if (shutdownSignal?.aborted) return;
      // The lease begins now. A sweep with many emails can take longer than a lease.
      const inbox = await emails.claim(new Date(now()));
      if (!inbox) return;
      yield inbox;
    }
  }

  async function sendNews(inbox: ClaimedInbox, now: number): Promise<void> {
    const later = (milliseconds: number) => new Date(now + milliseconds);
    const { sentUntil } = inbox.emails;
    const unread = await news.findUnread(inbox._id, { newerThan: sentUntil, cutoff: later(-unreadMs), now });
    if (!unread) return;
    const to = await identity.findVerifiedEmail(inbox._id);
    if (to === undefined) return emails.postpone(inbox, later(pauseMs));
    const outcome = await mailServer
      .send({
        to,
        messageId: messageIdOf(inbox, unread.newestAt, webOrigin),
        ...createNewsEmail({ ...unread, webOrigin, unsubscribeKey: inbox.unsubscribeKey }),
      })
      .catch((error: unknown) => {
        countEmail('failed');
        throw error;
      });
    countEmail(outcome);
    if (outcome === 'sent') await emails.recordSent(inbox, unread.newestAt, later(pauseMs));
    if (outcome === 'refused') await emails.postpone(inbox, later(refusalPauseMs));
  }

  const isUnavailable = (error: unknown) => error instanceof UnavailableError || isDatabaseUnavailable(error);

  return (now = Date.now): Promise<void> =>
    runEach(
      claimInboxes(now),
      (inbox) => sendNews(inbox, now()),
      'Some emails about news were not sent',
      isUnavailable,
    );
}

/**
 * Returns the Message-ID of the next email to a customer. If the API crashes after the mail server has accepted an email, but
 * before that is recorded, the email is sent again. If its news is the same, it has the same id, and many mail clients then show
 * only one of the two.
 */
function messageIdOf({ _id, emails }: ClaimedInbox, newestAt: Date, webOrigin: string): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([_id, emails.sentUntil, newestAt]))
    .digest('hex');
  return `${hash.slice(0, 32)}@${new URL(webOrigin).hostname}`;
}
