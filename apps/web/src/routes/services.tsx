import { useInfiniteQuery } from '@tanstack/react-query';
import { type LoaderFunctionArgs, useLoaderData, useLocation, useNavigate } from 'react-router-dom';
import { type ServiceSearch, servicesQuery } from '../features/services/queries.ts';
import { NeedChips, SortChoice, searchIn } from '../features/services/search-tools.tsx';
import { ServiceCard, ServiceCardPlaceholder, ServiceGrid } from '../features/services/service-card.tsx';
import { appIn } from '../lib/app.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { PageState } from '../ui/page-state.tsx';
import { SearchField } from '../ui/search-field.tsx';

const text = {
  name: 'Services',
  total: (total: number) => `${total.toLocaleString()} ${total === 1 ? 'service' : 'services'}`,
  found: (total: number, q: string) => `${text.total(total)} for “${q}”`,
  search: 'Search services',
  loading: 'Loading services…',
  retry: 'Try again',
  failed: { title: 'The services did not load', body: 'The connection or our server failed. Nothing is lost.' },
  moreFailed: 'The next services did not load. Those above are complete.',
  none: { title: 'No services yet', body: 'Be the first to list one.', action: 'Add Service' },
  nothing: {
    title: (q: string) => `Nothing found for “${q}”`,
    body: 'Try fewer words, or one of these.',
    action: 'Show all services',
  },
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { http, queries } = appIn(context);
  const search = searchIn(new URL(request.url).searchParams);
  const query = servicesQuery(http, search);
  // A failure is shown by the page itself, with everything else in its place.
  await queries.prefetchInfiniteQuery(query);
  return { search, query };
}

export function Component() {
  usePageTitle(text.name);
  const { search, query } = useLoaderData<typeof loader>();
  const navigate = useNavigate();
  const list = useInfiniteQuery(query);
  const services = list.data?.pages.flatMap(({ rows }) => rows) ?? [];
  const total = list.data?.pages.at(-1)?.total;
  const nothing = total === 0 && search.q !== '';
  return (
    <div className="column grid gap-6 pt-8 md:pt-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="grid gap-1">
          <h1 className="text-heading">{text.name}</h1>
          <p role="status" className="min-h-[1.55em] text-muted tabular-nums">
            {total === undefined
              ? list.isFetching && text.loading
              : search.q
                ? text.found(total, search.q)
                : text.total(total)}
          </p>
        </div>
        <SortChoice search={search} onChoose={(address) => void navigate(address, { preventScrollReset: true })} />
      </div>
      <SearchField
        label={text.search}
        action="/services"
        value={search.q}
        keep={search.sort === 'newest' ? {} : { sort: search.sort }}
        className="lg:hidden"
      />
      {nothing || <NeedChips search={search} />}
      {total === undefined && list.isError && !list.isFetching ? (
        <Failed pending={list.isFetching} onRetry={() => void list.refetch()} />
      ) : nothing ? (
        <Nothing search={search} />
      ) : total === 0 ? (
        <Empty />
      ) : (
        <ServiceGrid busy={list.isPending}>
          {services.map((service, index) => (
            <li key={service._id}>
              <ServiceCard service={service} level={2} eager={index < 3} />
            </li>
          ))}
          {(list.isPending || list.isFetchingNextPage) &&
            [1, 2, 3].map((box) => (
              <li key={box}>
                <ServiceCardPlaceholder />
              </li>
            ))}
        </ServiceGrid>
      )}
      {list.hasNextPage && (
        <LoadMore
          pending={list.isFetchingNextPage}
          failed={list.isFetchNextPageError}
          failure={text.moreFailed}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </div>
  );
}

function Failed({ pending, onRetry }: { pending: boolean; onRetry: () => void }) {
  return (
    <Alert
      action={
        <Button tone="quiet" pending={pending} onClick={onRetry}>
          {text.retry}
        </Button>
      }
    >
      <h2 className="font-bold">{text.failed.title}</h2>
      <p>{text.failed.body}</p>
    </Alert>
  );
}

function Empty() {
  const from = useLocation();
  return (
    <PageState
      picture="/pictures/placeholder.svg"
      title={text.none.title}
      action={
        <ButtonLink to="/addservices" state={{ from }}>
          {text.none.action}
        </ButtonLink>
      }
    >
      <p>{text.none.body}</p>
    </PageState>
  );
}

function Nothing({ search }: { search: ServiceSearch }) {
  return (
    <PageState
      picture="/pictures/placeholder.svg"
      title={text.nothing.title(search.q)}
      action={<ButtonLink to="/services">{text.nothing.action}</ButtonLink>}
    >
      <p className="pb-3">{text.nothing.body}</p>
      <NeedChips search={search} />
    </PageState>
  );
}
