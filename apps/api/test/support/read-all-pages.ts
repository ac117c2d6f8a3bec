import type { CheckedApi } from './checked-api.ts';
import { nextPagePath } from './references.ts';

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
    path = nextPagePath(path, headers);
  }
  return pages;
}
