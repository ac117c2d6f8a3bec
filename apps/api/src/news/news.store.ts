import { limits, type NewsEntry, type NewsQuery } from '@rtr/shared';
import * as z from 'zod/mini';
import { readTimeout } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import { createCursors, cursorValue, type Page } from '../database/pagination.ts';
import type { ReportStore } from '../moderation/reports.store.ts';
import { createSourceFinder } from './find-sources.ts';
import { compareRows, type Position } from './news-sources.ts';

const cursorKey = z.string().check(z.regex(/^[0-9a-f]{24}/));
const startOfNews = (now: number) => new Date(now - limits.newsDays * 24 * 60 * 60_000);

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
      const counts = await Promise.all(sources.map((source) => source.count(since, limits.maxNewsCount)));
      return Math.min(
        counts.reduce((sum, count) => sum + count, 0),
        limits.maxNewsCount,
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

function toPosition([at, source, key]: unknown[]): Position {
  return { at: at as Date, source: source as string, key: key as string };
}
