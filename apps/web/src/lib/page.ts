/** One page of a list. The server sends it to the browser, so it must be serialisable as JSON. */
export interface Page<T> {
  rows: T[];
  /** The number of rows in the whole list. Null if there are too many rows to count. */
  total: number | null;
  /** The cursor of the next page. Undefined on the last page. */
  after: string | undefined;
}

export function toPage<T>({ data, headers }: { data: T[]; headers: Headers }): Page<T> {
  const total = headers.get('X-Total-Count');
  const next = /^<([^>]*)>;\s*rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  return {
    rows: data,
    total: total === null ? null : Number(total),
    after: (next && new URLSearchParams(next.split('?')[1]).get('after')) || undefined,
  };
}

/**
 * Returns the paging options of an infinite query. The list starts after the cursor `start`. The cursor '' means the
 * start of the list.
 */
export const pagingOptionsFrom = (start = '') => ({
  // The first cursor may be '', but not undefined, because JSON would turn undefined into null.
  initialPageParam: start,
  getNextPageParam: (page: Page<unknown>) => page.after,
});
