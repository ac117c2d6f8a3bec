import { limits, type NewsEntry, type NewsQuery } from '@rtr/shared';
import * as z from 'zod/mini';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { createCursors, cursorValue, type Page } from '../database/pagination.ts';
import type { ReportStore } from '../moderation/reports.store.ts';
import { createSourceFinder } from './find-sources.ts';
import { compareRows, type Position, type Range, type Row, type Source } from './news-sources.ts';

const cursorKey = z.string().check(z.regex(/^[0-9a-f]{24}/));
const startOfNews = (now: number) => new Date(now - limits.newsDays * 24 * 60 * 60_000);

/** The unread news for an email. */
export interface UnreadNews {
  /** The newest entries, newest first. */
  entries: Row['entry'][];
  /** The number of all entries, up to `limits.maxNewsCount`. */
  count: number;
  newestAt: Date;
}

interface UnreadRange {
  /** Only entries after this time count, and only those that the customer has not seen. */
  newerThan: Date;
  /** At least one entry must be from this time or earlier. */
  cutoff: Date;
  /** In milliseconds since 1970. */
  now: number;
}

export type NewsStore = ReturnType<typeof createNewsStore>;

/**
 * Creates the store of the news of a customer. The news is derived from other data and never stored. Only the time up to which
 * the customer has seen them is stored.
 */
export function createNewsStore(
  { inboxes, ...contents }: Pick<Collections, 'inboxes' | 'services' | 'reviews' | 'conversations' | 'messages'>,
  reports: Pick<ReportStore, 'findAnswers'>,
) {
  const findSources = createSourceFinder(contents, reports);
  const cursorsOf = (uid: string) => createCursors(['news', uid], [cursorValue.date, cursorValue.text, cursorKey]);

  async function findSeenAt(uid: string): Promise<Date> {
    return (await inboxes.findOne({ _id: uid }, readTimeout))?.seenAt ?? new Date(0);
  }

  return {
    /** Returns a page of the news of a customer, newest first. */
    async findPage(uid: string, { limit = limits.defaultPageSize, after }: NewsQuery): Promise<Page<NewsEntry>> {
      const cursors = cursorsOf(uid);
      const position = after === undefined ? undefined : toPosition(cursors.decode(after));
      const since = startOfNews(Date.now());
      const [seenAt, sources] = await Promise.all([findSeenAt(uid), findSources(uid, since)]);
      // Each source reads one row more than the page needs, to find out whether there is a next page.
      const range = { since, after: position, limit: limit + 1 };
      const found = (await Promise.all(sources.map((source) => source.find(range)))).flat().toSorted(compareRows);
      const rows = found.slice(0, limit);
      const last = rows.at(-1);
      const hasNext = found.length > limit && last !== undefined;
      return {
        rows: rows.map(({ at, entry }) => ({ ...entry, at: at.toISOString(), isNew: at > seenAt })),
        totalCount: position || hasNext ? undefined : rows.length,
        ...(hasNext && { nextCursor: cursors.encode([last.at, last.source, last.key]) }),
      };
    },

    /** Counts the new entries of a customer, up to `limits.maxNewsCount`. */
    async countNew(uid: string): Promise<number> {
      const start = startOfNews(Date.now());
      const seenAt = await findSeenAt(uid);
      const since = seenAt > start ? seenAt : start;
      const sources = await findSources(uid, start);
      return countEntries(sources, since);
    },

    /** Returns the unread news of a customer, or undefined if none of them has been unread for long enough. */
    async findUnread(uid: string, { newerThan, cutoff, now }: UnreadRange): Promise<UnreadNews | undefined> {
      const start = startOfNews(now);
      const since = new Date(Math.max(start.getTime(), newerThan.getTime(), (await findSeenAt(uid)).getTime()));
      const sources = await findSources(uid, start);
      const find = async (range: Omit<Range, 'since'>) =>
        (await Promise.all(sources.map((source) => source.find({ since, ...range })))).flat().toSorted(compareRows);
      // Entries are sorted by time and source, in descending order. No name of a source is greater than this one, so the
      // entries of this time follow.
      const atCutoff = { at: cutoff, source: '\uffff', key: '' };
      if ((await find({ after: atCutoff, limit: 1 })).length === 0) return undefined;
      const rows = (await find({ limit: limits.newsPerEmail })).slice(0, limits.newsPerEmail);
      const count = await countEntries(sources, since);
      const [newest] = rows;
      return (
        newest && {
          entries: rows.map(({ entry }) => entry),
          count: Math.max(count, rows.length),
          newestAt: newest.at,
        }
      );
    },

    /** Marks the entries up to this time as seen. Idempotent. A time in the future would also mark later entries. */
    async markSeen(uid: string, until: Date): Promise<void> {
      const seenAt = new Date(Math.min(until.getTime(), Date.now()));
      await inboxes.updateOne({ _id: uid }, { $max: { seenAt } }, { upsert: true });
    },

    /** Erases what is stored about the news of a deleted account. */
    async erase(uid: string): Promise<void> {
      await inboxes.deleteOne({ _id: uid });
    },
  };
}

async function countEntries(sources: readonly Source[], since: Date): Promise<number> {
  const counts = await Promise.all(sources.map((source) => source.count(since, limits.maxNewsCount)));
  return Math.min(
    counts.reduce((sum, count) => sum + count, 0),
    limits.maxNewsCount,
  );
}

function toPosition([at, source, key]: unknown[]): Position {
  return { at: at as Date, source: source as string, key: key as string };
}
