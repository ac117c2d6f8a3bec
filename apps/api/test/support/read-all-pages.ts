import type { CheckedApi } from './checked-api.ts';

export async function readAllPages<T>(
  api: CheckedApi,
  firstPath: string,
  betweenPages?: () => Promise<void>,
): Promise<T[][]> {
  const pages: T[][] = [];
  for (let path: string | undefined = firstPath; path !== undefined; ) {
    if (pages.length > 0) await betweenPages?.();
    const { body, headers } = await api.get(path).expect(200);
    pages.push(body);
    path = nextPagePath(headers);
  }
  return pages;
}

export function nextPagePath(headers: Record<string, string>): string | undefined {
  return /^<(\/[^>]*)>; rel="next"$/.exec(headers.link ?? '')?.[1];
}
