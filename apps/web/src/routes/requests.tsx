import { titleOf } from '@rtr/shared';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router-dom';
import { sessionIn } from '../features/auth/session-context.ts';
import { requestsQuery } from '../features/requests/queries.ts';
import { RequestCard } from '../features/requests/request-card.tsx';
import { serviceText } from '../features/services/texts.ts';
import { appIn } from '../lib/app.ts';
import { useRefetchOnNews } from '../lib/new-count.ts';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { ButtonLink } from '../ui/button.tsx';
import { FilterLink } from '../ui/chip.tsx';
import { LiveRegion } from '../ui/live-region.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState, ProgressBars } from '../ui/page-state.tsx';
import { RetryAlert } from '../ui/retry-alert.tsx';
import { protectedPageNames } from './texts.ts';

const text = {
  intro: 'Your conversations with listers and customers. Only the two of you can read them.',
  filter: 'Which requests',
  all: 'All',
  unread: 'Unread',
  loading: 'Loading requests…',
  failed: 'Your requests did not load',
  moreFailed: 'We could not load more requests.',
  total: (total: number) => `${total} ${total === 1 ? 'request' : 'requests'}`,
  none: {
    title: 'No requests yet',
    body: `To ask a lister something, use “${protectedPageNames.ask}” on the page of a service.`,
  },
  noneUnread: { title: 'Nothing unread', body: 'You have read all messages.', action: 'Show all requests' },
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!(await sessionIn(context).waitForUser())) return null;
  const { http, queries } = appIn(context);
  const isUnread = new URL(request.url).searchParams.get('unread') === '1';
  const query = requestsQuery(http, { isUnread });
  // A failed prefetch throws no error. The page then shows the error of the query.
  await queries.prefetchInfiniteQuery(query);
  return { query, isUnread };
}

export function Component() {
  const data = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHead name={protectedPageNames.requests} />
      <PageHeader title={protectedPageNames.requests} intro={text.intro} />
      {data ? <Requests {...data} /> : <ProgressBars />}
    </Page>
  );
}

function Requests({ query, isUnread }: Exclude<Awaited<ReturnType<typeof loader>>, null>) {
  const list = useInfiniteQuery(query);
  const { hasFailed, retry, announcement } = useFirstLoad(list, text);
  const requests = list.data?.pages.flatMap((page) => page.rows);
  const total = list.data?.pages.at(-1)?.total;
  useRefetchOnNews(() => void list.refetch({ cancelRefetch: false }));
  return (
    <>
      <nav aria-label={text.filter} className="flex flex-wrap gap-3">
        <FilterLink to={{ search: '' }} isCurrent={!isUnread}>
          {text.all}
        </FilterLink>
        <FilterLink to={{ search: '?unread=1' }} isCurrent={isUnread}>
          {text.unread}
        </FilterLink>
      </nav>
      <LiveRegion className="text-title tabular-nums">
        {typeof total === 'number' && text.total(total)}
        {total === undefined && <span className="sr-only">{announcement}</span>}
      </LiveRegion>
      {hasFailed && <RetryAlert title={text.failed} pending={list.isFetching} onRetry={retry} />}
      {!hasFailed && !requests && <ProgressBars label={text.loading} />}
      {requests?.length === 0 && <NoRequests isUnread={isUnread} />}
      <ul className="grid gap-4 empty:hidden">
        {requests?.map((conversation) => (
          <li key={conversation._id}>
            <RequestCard conversation={conversation} title={titleOf({ title: conversation.serviceTitle })} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && <LoadMore list={list} failure={text.moreFailed} />}
    </>
  );
}

function NoRequests({ isUnread }: { isUnread: boolean }) {
  const { title, body } = isUnread ? text.noneUnread : text.none;
  return (
    <PageState
      picture="/pictures/no-review.svg"
      title={title}
      action={
        isUnread ? (
          <ButtonLink to={{ search: '' }}>{text.noneUnread.action}</ButtonLink>
        ) : (
          <ButtonLink to="/services">{serviceText.find}</ButtonLink>
        )
      }
    >
      <p>{body}</p>
    </PageState>
  );
}
