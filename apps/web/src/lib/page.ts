/** One page of a list, as the API sends it. */
export interface Page<T> {
  rows: T[];
  /** How many rows the whole list has; Infinity when they are too many for the API to count. */
  total: number;
  /** Cursor of the next page, when there is one. */
  after: string | undefined;
}

export function toPage<T>({ data, headers }: { data: T[]; headers: Headers }): Page<T> {
  const next = /^<([^>]*)>;\s*rel="next"/.exec(headers.get('Link') ?? '')?.[1];
  return {
    rows: data,
    total: Number(headers.get('X-Total-Count') ?? Infinity),
    after: (next && new URLSearchParams(next.split('?')[1]).get('after')) || undefined,
  };
}

/** How an infinite query pages through a list. */
export const pageByPage = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page: Page<unknown>) => page.after,
};
