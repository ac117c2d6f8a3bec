import { useQueryClient } from '@tanstack/react-query';
import { UnexpectedResponse } from '../../lib/api-error.ts';
import type { App } from '../../lib/app.ts';
import { useHttp } from '../../lib/http-context.ts';
import { newsEmailsQuery } from './emails-query.ts';

/** Marks all entries up to a time as read. */
export async function markNewsAsRead({ http, queries }: Pick<App, 'http' | 'queries'>, until: string): Promise<void> {
  await http('POST /news/seen', { as: 'customer', body: { until } });
  await Promise.all(['GET /news', 'GET /news/count'].map((key) => queries.invalidateQueries({ queryKey: [key] })));
}

/** Returns the function that switches emails about news on or off. */
export function useSaveNewsEmails() {
  const http = useHttp();
  const queries = useQueryClient();
  return async (isOn: boolean): Promise<void> => {
    const { data } = await http('PUT /account/emails', { as: 'customer', body: { isOn } });
    if (data?.isOn !== isOn) throw new UnexpectedResponse();
    queries.setQueryData(newsEmailsQuery(http).queryKey, data);
  };
}
