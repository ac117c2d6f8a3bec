import type { Service } from '@rtr/shared';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
} from 'react-router-dom';
import { KeptServices, KeptTotal } from '../features/services/kept-services.tsx';
import { pageSize, type ServiceSearch, serviceQuery, servicesQuery } from '../features/services/queries.ts';
import { NeedChips, OtherNeeds, SortChoice, searchIn } from '../features/services/search-tools.tsx';
import { ServiceCard, ServiceCardPlaceholder, ServiceGrid } from '../features/services/service-card.tsx';
import { appIn } from '../lib/app.ts';
import type { Page } from '../lib/page.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { PageState } from '../ui/page-state.tsx';
import { SearchField } from '../ui/search-field.tsx';

const text = {
  name: 'Services',
  kept: 'Saved and viewed',
  total: (total: number, shown: number) =>
    total === Infinity
      ? `More than ${shown} services`
      : `${total.toLocaleString()} ${total === 1 ? 'service' : 'services'}`,
  found: (total: string, q: string) => (
    <>
      {total} for “<bdi>{q}</bdi>”
    </>
  ),
  search: 'Search services',
  loading: 'Loading services…',
  retry: 'Try again',
  failed: { title: 'The services did not load', body: 'The connection or our server failed. Nothing is lost.' },
  moreFailed: 'The next services did not load. Those above are complete.',
  none: { title: 'No services yet', body: 'Be the first to list one.', action: 'Add Service' },
  nothing: {
    title: (q: string) => (
      <>
        Nothing found for “<bdi>{q}</bdi>”
      </>
    ),
    body: 'Try fewer words, or one of these.',
    action: 'Show all services',
  },
};

/** Pages that one address may ask for: a list is not fetched whole because somebody once saw all of it. */
const mostAtOnce = 10;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { http, queries } = appIn(context);
  const { searchParams } = new URL(request.url);
  const kept = searchParams.has('saved');
  const search = searchIn(searchParams);
  const query = servicesQuery(http, search);
  const pages = Math.min(Math.max(1, Math.ceil(Number(searchParams.get('count')) / pageSize) || 1), mostAtOnce);
  // On return the loaded pages are there at once, however old, and are refreshed in their place. A failure is shown by
  // the page itself, with everything else where it belongs.
  if (!kept) await queries.ensureInfiniteQueryData({ ...query, pages }).catch(() => {});
  return { kept, search, query, one: (id: string) => serviceQuery(http, id) };
}

/** The address only takes down how many are there already. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const [before, after] = [currentUrl, nextUrl].map((url) => addressWith(url, undefined));
  return before === after && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate;
}

function addressWith({ pathname, search }: Pick<Location, 'pathname' | 'search'>, count: number | undefined): string {
  const parameters = new URLSearchParams(search);
  if (count) parameters.set('count', String(count));
  else parameters.delete('count');
  const said = parameters.toString();
  return pathname + (said && `?${said}`);
}

/** How many are shown stands in the address, so that a reload and Back from anywhere find the same place. */
function useCountInAddress(count: number | undefined): void {
  const location = useLocation();
  const navigate = useNavigate();
  const { state } = useNavigation();
  useEffect(() => {
    const said = new URLSearchParams(location.search).get('count');
    // Who is on the way to another page is not called back.
    if (state !== 'idle' || said === (count ? String(count) : null)) return;
    const kept = { replace: true, preventScrollReset: true, state: location.state as unknown };
    void navigate(addressWith(location, count), kept);
  }, [count, location, navigate, state]);
}

export function Component() {
  const { kept, search, query, one } = useLoaderData<typeof loader>();
  const name = kept ? text.kept : text.name;
  usePageTitle(name);
  const navigate = useNavigate();
  const list = useInfiniteQuery({ ...query, enabled: !kept });
  const total = list.data?.pages.at(-1)?.total;
  // Of a list that is too long to be counted the first page is known to be less than all; said once, however many follow.
  const said = text.total(total ?? 0, list.data?.pages[0]?.rows.length ?? 0);
  const nothing = !kept && total === 0 && search.q !== '';
  return (
    <div className="column grid gap-6 pt-8 md:pt-12">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="grid gap-1">
          <h1 className="text-heading">{name}</h1>
          <p role="status" className="min-h-[1.55em] text-muted wrap-anywhere tabular-nums">
            {kept ? (
              <KeptTotal />
            ) : total === undefined ? (
              list.isFetching && text.loading
            ) : search.q ? (
              text.found(said, search.q)
            ) : (
              said
            )}
          </p>
        </div>
        {kept || (
          <SortChoice search={search} onChoose={(address) => void navigate(address, { preventScrollReset: true })} />
        )}
      </div>
      <SearchField
        label={text.search}
        action="/services"
        value={kept ? '' : search.q}
        keep={search.sort === 'newest' ? {} : { sort: search.sort }}
        className="lg:hidden"
      />
      {nothing || <NeedChips search={kept ? undefined : search} />}
      {kept ? (
        <KeptServices one={one} />
      ) : total === undefined && list.isError ? (
        <Failed onRetry={() => void list.refetch()} />
      ) : nothing ? (
        <Nothing search={search} />
      ) : total === 0 ? (
        <Empty />
      ) : (
        <Catalogue list={list} />
      )}
    </div>
  );
}

function Catalogue({ list }: { list: UseInfiniteQueryResult<InfiniteData<Page<Service>>> }) {
  const pages = list.data?.pages ?? [];
  const services = pages.flatMap(({ rows }) => rows);
  useCountInAddress(pages.length > 1 ? services.length : undefined);
  return (
    <>
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
      {list.hasNextPage && (
        <LoadMore
          pending={list.isFetchingNextPage}
          failed={list.isFetchNextPageError}
          failure={text.moreFailed}
          onMore={() => void list.fetchNextPage()}
        />
      )}
    </>
  );
}

function Failed({ onRetry }: { onRetry: () => void }) {
  return (
    <Alert
      action={
        <Button tone="quiet" onClick={onRetry}>
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
      <OtherNeeds search={search} />
    </PageState>
  );
}
