import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useLoaderData } from 'react-router-dom';
import { sessionIn } from '../features/auth/session-context.ts';
import { NewsItem } from '../features/news/news-item.tsx';
import { newsQuery } from '../features/news/queries.ts';
import { markNewsAsRead } from '../features/news/write.ts';
import { serviceText } from '../features/services/texts.ts';
import { appIn } from '../lib/app.ts';
import { failureOf } from '../lib/failure.ts';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { useHttp } from '../lib/http-context.ts';
import { useRefetchOnNews } from '../lib/new-count.ts';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { useSingleFlight } from '../lib/use-single-flight.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { failureText } from '../ui/failure-alert.tsx';
import { LiveRegion } from '../ui/live-region.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Page, PageHeader, Toolbar } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState, ProgressBars } from '../ui/page-state.tsx';
import { RetryAlert } from '../ui/retry-alert.tsx';
import { toast } from '../ui/toasts.tsx';
import { protectedPageNames } from './texts.ts';

const text = {
  intro: 'What has happened to your services, reviews, requests and reports.',
  loading: 'Loading news…',
  failed: 'Your news did not load',
  moreFailed: 'We could not load more news.',
  markAll: 'Mark all as read',
  marked: 'All news is marked as read.',
  notMarked: 'Your news was not marked as read. Try again.',
  empty: {
    title: 'No news yet',
    body: 'When someone reviews your service, replies to your review or sends you a message, you can read it here.',
  },
};
const toastId = 'news';

export async function loader({ context }: LoaderFunctionArgs) {
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!(await sessionIn(context).waitForUser())) return null;
  const { http, queries } = appIn(context);
  const query = newsQuery(http);
  // A failed prefetch throws no error. The page then shows the error of the query.
  await queries.prefetchInfiniteQuery(query);
  return query;
}

export function Component() {
  const query = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHead name={protectedPageNames.news} />
      <PageHeader title={protectedPageNames.news} intro={text.intro} />
      {query ? <News query={query} /> : <ProgressBars />}
    </Page>
  );
}

function News({ query }: { query: ReturnType<typeof newsQuery> }) {
  const list = useInfiniteQuery(query);
  useRefetchOnNews(() => void list.refetch({ cancelRefetch: false }));
  const { hasFailed, retry, announcement } = useFirstLoad(list, text);
  if (!list.data)
    return (
      <>
        <LiveRegion variant="hidden">{announcement}</LiveRegion>
        {hasFailed ? (
          <RetryAlert title={text.failed} pending={list.isFetching} onRetry={retry} />
        ) : (
          <ProgressBars label={text.loading} />
        )}
      </>
    );
  const entries = list.data.pages.flatMap((page) => page.rows);
  const [newest] = entries;
  if (!newest)
    return (
      <PageState
        picture="/pictures/no-review.svg"
        title={text.empty.title}
        action={<ButtonLink to="/services">{serviceText.find}</ButtonLink>}
      >
        <p>{text.empty.body}</p>
      </PageState>
    );
  return (
    <>
      {entries.some(({ isNew }) => isNew) && (
        <Toolbar>
          <MarkAllAsRead until={newest.at} />
        </Toolbar>
      )}
      <ul className="border-t-4 border-ink">
        {entries.map((entry) => (
          <li
            key={`${entry.kind} ${entry.requestId ?? entry.reviewId ?? entry.serviceId} ${entry.part} ${entry.at}`}
            className="border-b-2 border-dashed border-line"
          >
            <NewsItem entry={entry} />
          </li>
        ))}
      </ul>
      {list.hasNextPage && <LoadMore list={list} failure={text.moreFailed} />}
    </>
  );
}

function MarkAllAsRead({ until }: { until: string }) {
  const http = useHttp();
  const queries = useQueryClient();
  const [mark, isPending] = useSingleFlight(async () => {
    try {
      await markNewsAsRead({ http, queries }, until);
      toast.success(text.marked, { id: toastId });
    } catch (error) {
      toast.error(failureText(failureOf(error), text.notMarked), { id: toastId });
    }
  });
  return (
    <Button ref={focusHeadingOnRemoval} tone="quiet" pending={isPending} onClick={() => void mark()}>
      {text.markAll}
    </Button>
  );
}
