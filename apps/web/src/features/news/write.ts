import type { App } from '../../lib/app.ts';

/** Marks all entries up to a time as read. */
export async function markNewsAsRead({ http, queries }: Pick<App, 'http' | 'queries'>, until: string): Promise<void> {
  await http('POST /news/seen', { as: 'customer', body: { until } });
  await Promise.all(['GET /news', 'GET /news/count'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
}
