import type { CheckedApi } from './checked-api.ts';

/** Reads a list page by page, each at the path that the page before it links to. */
export async function walk<T>(api: CheckedApi, path: string, betweenPages?: () => Promise<void>): Promise<T[][]> {
  const pages: T[][] = [];
  for (let next: string | undefined = path; next !== undefined; ) {
    if (pages.length > 0) await betweenPages?.();
    const { body, headers } = await api.get(next).expect(200);
    pages.push(body);
    next = nextOf(headers);
  }
  return pages;
}

/** The path in a `Link: <path>; rel="next"` header. */
export function nextOf(headers: Record<string, string>): string | undefined {
  return /^<(\/[^>]*)>; rel="next"$/.exec(headers.link ?? '')?.[1];
}
