import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Page } from '../lib/page.ts';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { byNewest, type Deletions } from './deletion.tsx';
import { LiveRegion } from './live-region.tsx';
import { LoadMore } from './load-more.tsx';
import { ProgressBars } from './page-state.tsx';
import { RetryAlert } from './retry-alert.tsx';
import { Table } from './table.tsx';

interface DeletableTableProps<T extends { _id: string; createdAt: string }> {
  list: UseInfiniteQueryResult<InfiniteData<Page<T>>>;
  deletions: Deletions<T>;
  /** The accessible name of the table. */
  label: string;
  columns: readonly string[];
  text: { loading: string; failed: string; moreFailed: string; total: (count: number) => string };
  /** Returns false for rows that the table does not show. */
  filter?: (item: T) => boolean;
  renderRow: (item: T) => ReactNode;
  /** The content that is shown instead of the table if the list is empty. */
  empty: ReactNode;
}

/** A list whose rows can be deleted and restored, with its loading, error and empty state. */
export function DeletableTable<T extends { _id: string; createdAt: string }>({
  list,
  deletions,
  label,
  columns,
  text,
  filter,
  renderRow,
  empty,
}: DeletableTableProps<T>) {
  const { hasFailed, retry, announcement } = useFirstLoad(list, text);

  if (hasFailed)
    return (
      <>
        <LiveRegion variant="hidden">{announcement}</LiveRegion>
        <RetryAlert title={text.failed} pending={list.isFetching} onRetry={retry} />
      </>
    );
  if (!list.data) return <ProgressBars label={text.loading} />;

  const listed = list.data.pages.flatMap((page) => page.rows);
  const rows = deletions.rowsOf(listed, byNewest, filter);
  const count = deletions.countOf(list.data.pages.at(-1)?.total ?? listed.length, listed);

  return (
    <>
      <LiveRegion className="text-title tabular-nums">{text.total(count)}</LiveRegion>
      {rows.length > 0 && (
        <Table label={label} columns={columns}>
          {rows.map(renderRow)}
        </Table>
      )}
      {count === 0 && rows.length === 0 && empty}
      {list.hasNextPage && <LoadMore list={list} failure={text.moreFailed} />}
    </>
  );
}
