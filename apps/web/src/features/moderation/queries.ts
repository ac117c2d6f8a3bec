import type { CaseStatus } from '@rtr/shared';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { UnexpectedResponse } from '../../lib/api-error.ts';
import { toDataUrl } from '../../lib/data-url.ts';
import type { Http } from '../../lib/http.ts';
import { pagingOptionsFrom, toPage } from '../../lib/page.ts';
import { keyOf } from '../../lib/query-client.ts';

/** The query for the list of moderation cases. The API responds with 404 to customers who are no moderators. */
export const casesQuery = (http: Http, status: CaseStatus) => {
  const query = { status, limit: '20' };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /moderation', query),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(await http('GET /moderation', { as: 'customer', query: { ...query, after: after || undefined }, signal })),
    ...pagingOptionsFrom(),
  });
};

/**
 * The query for the file of an uploaded picture, as a data URL. The file of a hidden picture has no public address, so the
 * browser sends the access token of the moderator. The file is removed from the cache as soon as no component shows it.
 */
export const pictureQuery = (http: Http, id: string) =>
  queryOptions({
    queryKey: keyOf('GET /moderation/pictures/:id', { id }),
    queryFn: async ({ signal }) => {
      const { data } = await http('GET /moderation/pictures/:id', { as: 'customer', params: { id }, signal });
      if (!(data instanceof Blob)) throw new UnexpectedResponse();
      return toDataUrl(data);
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });

/** The query of the reports that the signed-in customer has sent. */
export const ownReportsQuery = (http: Http) => {
  const query = { limit: '10' };
  return infiniteQueryOptions({
    queryKey: keyOf('GET /account/reports', query),
    queryFn: async ({ pageParam: after, signal }) =>
      toPage(
        await http('GET /account/reports', { as: 'customer', query: { ...query, after: after || undefined }, signal }),
      ),
    ...pagingOptionsFrom(),
  });
};
