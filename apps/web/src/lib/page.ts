/** One page of a list. It must be serialisable as JSON, because the server sends the query cache to the browser. */
export interface Page<T> {
  rows: T[];
  /** The count of rows of the whole list. Null if there are too many rows to count. */
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
 * Returns the paging options of an infinite query. `start` is the cursor after which the list starts, or '' for the whole
 * list.
 */
export const pagingOptionsFrom = (start = '') => ({
  // For the whole list, the cursor is '' and not undefined, because JSON would turn undefined into null.
  initialPageParam: start,
  getNextPageParam: (page: Page<unknown>) => page.after,
});
