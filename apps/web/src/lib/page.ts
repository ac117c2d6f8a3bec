/** One page of a list, as the API sends it. It must survive JSON, in which pages travel from the server to the browser. */
export interface Page<T> {
  rows: T[];
  /** How many rows the whole list has; null when they are too many for the API to count. */
  total: number | null;
  /** Cursor of the next page, when there is one. */
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

/** How an infinite query pages through a list, from after a cursor; '' is the start of the list. */
export const pagesFrom = (start = '') => ({
  // Undefined would become null in JSON.
  initialPageParam: start,
  getNextPageParam: (page: Page<unknown>) => page.after,
});
