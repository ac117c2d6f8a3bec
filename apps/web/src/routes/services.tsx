import type { Service } from '@rtr/shared';
import { type InfiniteData, type UseInfiniteQueryResult, useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import {
  Link,
  type LoaderFunctionArgs,
  matchPath,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
  useNavigate,
  useNavigation,
} from 'react-router-dom';
import { pageSize, type ServiceSearch, serviceQuery, servicesQuery } from '../features/services/queries.ts';
import { SavedAndViewed, SavedAndViewedCounts } from '../features/services/saved-and-viewed.tsx';
import { NeedChips, OtherNeeds, SortChoice, searchAddress, searchIn } from '../features/services/search-tools.tsx';
import { ServiceCard, ServiceCardPlaceholder, ServiceGrid } from '../features/services/service-card.tsx';
import { servicesData } from '../features/services/structured-data.ts';
import { appIn } from '../lib/app.ts';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import type { Page } from '../lib/page.ts';
import { useHydrated } from '../lib/page-context.ts';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { NeedsScript } from '../ui/needs-script.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState } from '../ui/page-state.tsx';
import { SearchField } from '../ui/search-field.tsx';

const text = {
  name: 'Services',
  description:
    'Services for working kitchens with their prices and customers’ reviews: hoods, ducts, air conditioning, cold rooms, gas and fire safety.',
  savedAndViewed: 'Saved and viewed',
  total: (total: number | null, shown: number) =>
    total === null
      ? `More than ${shown} services`
      : `${total.toLocaleString('en')} ${total === 1 ? 'service' : 'services'}`,
  found: (total: string, q: string) => (
    <>
      {total} for “<bdi>{q}</bdi>”
    </>
  ),
  first: 'Back to the first services',
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

/** The pages that an address can request, so that a reload does not fetch a long list whole. */
const maxRestoredPages = 10;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { http, queries } = appIn(context);
  const { searchParams } = new URL(request.url);
  const isSavedPage = searchParams.has('saved');
  const search = searchIn(searchParams);
  const query = servicesQuery(http, search);
  const pages = Math.min(Math.max(1, Math.ceil(Number(searchParams.get('count')) / pageSize) || 1), maxRestoredPages);
  // On return the cached pages are shown at once and refreshed in place. The page itself shows a failure.
  if (!isSavedPage) await queries.ensureInfiniteQueryData({ ...query, pages }).catch(() => {});
  return { isSavedPage, search, query, queryOf: (id: string) => serviceQuery(http, id) };
}

/** The address only records how many services are loaded. */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const [before, after] = [currentUrl, nextUrl].map((url) => addressWith(url, undefined));
  return before === after && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate;
}

function addressWith({ pathname, search }: Pick<Location, 'pathname' | 'search'>, count: number | undefined): string {
  const parameters = new URLSearchParams(search);
  if (count) parameters.set('count', String(count));
  else parameters.delete('count');
  const query = parameters.toString();
  return pathname + (query && `?${query}`);
}

/** Writes the count of loaded services into the address, so that a reload and Back restore the position. */
function useCountInAddress(count: number | undefined): void {
  const location = useLocation();
  const navigate = useNavigate();
  const { state } = useNavigation();
  useEffect(() => {
    const current = new URLSearchParams(location.search).get('count');
    // Do not interrupt a running navigation.
    if (state !== 'idle' || current === (count ? String(count) : null)) return;
    const options = { replace: true, preventScrollReset: true, state: location.state as unknown };
    void navigate(addressWith(location, count), options);
  }, [count, location, navigate, state]);
}

/** The search that was requested last. While its page loads, it is newer than the one on screen. */
function useRequestedSearch(shown: ServiceSearch): ServiceSearch {
  const { location } = useNavigation();
  return location && matchPath('/services', location.pathname) ? searchIn(new URLSearchParams(location.search)) : shown;
}

export function Component() {
  const { isSavedPage, search, query, queryOf } = useLoaderData<typeof loader>();
  const requested = useRequestedSearch(search);
  const name = isSavedPage ? text.savedAndViewed : text.name;
  // Only the browser has the saved services.
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const list = useInfiniteQuery({ ...query, enabled: !isSavedPage });
  const { hasFailed, retry, announcement } = useFirstLoad(list, {
    loading: text.loading,
    failed: text.failed.title,
  });
  const total = list.data?.pages.at(-1)?.total;
  // Of a list that is too long to be counted the first page is known to be less than all; said once, however many follow.
  const said = total === undefined ? undefined : text.total(total, list.data?.pages[0]?.rows.length ?? 0);
  const nothing = !isSavedPage && total === 0 && search.q !== '';
  return (
    <div className="column grid gap-6 pt-8 md:pt-12">
      <PageHead name={name} listed={isSavedPage ? undefined : headOf(search, list.data)} />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="grid gap-1">
          <h1 className="text-heading">{name}</h1>
          <p role="status" className="min-h-[1.55em] text-muted wrap-anywhere tabular-nums">
            {isSavedPage ? (
              <SavedAndViewedCounts />
            ) : said === undefined ? (
              <span className={hasFailed ? 'sr-only' : ''}>{announcement}</span>
            ) : search.q ? (
              text.found(said, search.q)
            ) : (
              said
            )}
          </p>
        </div>
        {isSavedPage || (
          <SortChoice search={requested} onChoose={(address) => void navigate(address, { preventScrollReset: true })} />
        )}
      </div>
      <SearchField
        label={text.search}
        action="/services"
        value={isSavedPage ? '' : search.q}
        keep={requested.sort === 'newest' ? {} : { sort: requested.sort }}
        className="lg:hidden"
      />
      {nothing || <NeedChips search={isSavedPage ? undefined : requested} />}
      {isSavedPage ? (
        <>
          <NeedsScript what="page" />
          {hydrated && <SavedAndViewed queryOf={queryOf} />}
        </>
      ) : hasFailed ? (
        <Failed pending={list.isFetching} onRetry={retry} />
      ) : nothing ? (
        <Nothing search={search} />
      ) : total === 0 ? (
        <Empty />
      ) : (
        <Catalogue search={search} list={list} />
      )}
    </div>
  );
}

/** Searches and later pages have the canonical address of the whole list, so only its first page names services. */
function headOf({ q, sort, after }: ServiceSearch, data: InfiniteData<Page<Service>> | undefined) {
  const isWhole = !q && sort === 'newest' && !after;
  const services = isWhole ? (data?.pages[0]?.rows ?? []) : [];
  return {
    path: '/services',
    description: text.description,
    structuredData: (origin: string) => ({
      '@type': 'CollectionPage',
      name: text.name,
      url: `${origin}/services`,
      ...(services.length > 0 && { mainEntity: servicesData(services, origin) }),
    }),
  };
}

interface CatalogueProps {
  search: ServiceSearch;
  list: UseInfiniteQueryResult<InfiniteData<Page<Service>>>;
}

function Catalogue({ search, list }: CatalogueProps) {
  const pages = list.data?.pages ?? [];
  const services = pages.flatMap(({ rows }) => rows);
  useCountInAddress(pages.length > 1 ? services.length : undefined);
  return (
    <>
      {search.after && (
        <p ref={focusHeadingOnRemoval}>
          <Link to={searchAddress({ ...search, after: undefined })} className="link">
            {text.first}
          </Link>
        </p>
      )}
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
          loadedCount={services.length}
          failed={list.isFetchNextPageError}
          failure={text.moreFailed}
          onMore={() => void list.fetchNextPage()}
          nextPage={searchAddress({ ...search, after: pages.at(-1)?.after })}
        />
      )}
    </>
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
      <OtherNeeds search={search} />
    </PageState>
  );
}
