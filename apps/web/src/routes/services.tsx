import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query';
import {
  Link,
  type LoaderFunctionArgs,
  type ShouldRevalidateFunctionArgs,
  useLocation,
  useNavigate,
} from 'react-router-dom';
import { NoServices } from '../features/services/no-services.tsx';
import {
  areasQuery,
  type ChangedSearch,
  filtersIn,
  pageSize,
  type ServicePage,
  type ServiceSearch,
  servicesQuery,
} from '../features/services/queries.ts';
import { SavedAndViewed, SavedAndViewedCounts } from '../features/services/saved-and-viewed.tsx';
import {
  addressWithCount,
  PredefinedSearches,
  SearchChips,
  SortChoice,
  searchAddress,
  searchIn,
  searchParameters,
} from '../features/services/search-tools.tsx';
import { ServiceFilters } from '../features/services/service-filters.tsx';
import { ServiceList } from '../features/services/service-list.tsx';
import { ServiceSearchField } from '../features/services/service-search-field.tsx';
import { servicesData } from '../features/services/structured-data.ts';
import { serviceText } from '../features/services/texts.ts';
import { isBadRequest } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { useHttp } from '../lib/http-context.ts';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { useRequestedSearch } from '../lib/use-requested-search.ts';
import { Alert } from '../ui/alert.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { LiveRegion } from '../ui/live-region.tsx';
import { NeedsScript } from '../ui/needs-script.tsx';
import { Page } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState } from '../ui/page-state.tsx';
import { RetryAlert } from '../ui/retry-alert.tsx';
import { commonText } from '../ui/texts.ts';

const text = {
  name: 'Services',
  description:
    'Compare services for professional kitchens by price and customer reviews: hoods, ducts, air conditioning, cold rooms, gas and fire safety.',
  savedAndViewed: 'Saved and viewed services',
  total: (total: number) => `${total.toLocaleString('en')} ${total === 1 ? 'service' : 'services'}`,
  moreThan: (count: number) => `More than ${count} services`,
  found: (total: string, q: string) => (
    <>
      {total} for “<bdi>{q}</bdi>”
    </>
  ),
  changed: (total: string, { searchedFor, leftOut, isUnknown }: ChangedSearch) =>
    leftOut === '' ? (
      <>
        Showing results for “<bdi>{searchedFor}</bdi>”: {total}
      </>
    ) : isUnknown ? (
      <>
        No service mentions “<bdi>{leftOut}</bdi>”. These match “<bdi>{searchedFor}</bdi>”. {total}
      </>
    ) : (
      <>
        No service mentions all of these words. These match “<bdi>{searchedFor}</bdi>”, but not “<bdi>{leftOut}</bdi>”.{' '}
        {total}
      </>
    ),
  nothingFound: {
    title: (q: string) => (
      <>
        Nothing found for “<bdi>{q}</bdi>”
      </>
    ),
    filtered: 'No service matches these filters',
    body: 'Try fewer words, or one of these.',
    fewerFilters: 'Remove a filter above, or try one of these.',
    action: 'Show all services',
  },
};

const maxRestoredPages = 10;

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { http, queries } = appIn(context);
  const { searchParams } = new URL(request.url);
  const pages = Math.min(Math.max(1, Math.ceil(Number(searchParams.get('count')) / pageSize) || 1), maxRestoredPages);
  // When the customer returns to the list, its cached pages are shown at once, and fetched again if they are stale. Errors
  // are ignored here, because the page shows them.
  if (!searchParams.has('saved'))
    await Promise.allSettled([
      queries.ensureInfiniteQueryData({ ...servicesQuery(http, searchIn(searchParams)), pages }),
      queries.ensureQueryData(areasQuery(http)),
    ]);
  return null;
}

/**
 * Returns false if only the query parameter `count` changes. The page uses `count` only after a reload or the Back button,
 * so no new data is needed.
 */
export function shouldRevalidate({ currentUrl, nextUrl, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  const [before, after] = [currentUrl, nextUrl].map((url) => addressWithCount(url));
  return before === after && currentUrl.search !== nextUrl.search ? false : defaultShouldRevalidate;
}

export function Component() {
  const searchParams = new URLSearchParams(useLocation().search);
  const isSavedPage = searchParams.has('saved');
  const search = searchIn(searchParams);
  const requested = searchIn(useRequestedSearch());
  const name = isSavedPage ? text.savedAndViewed : text.name;
  const navigate = useNavigate();
  const list = useInfiniteQuery({ ...servicesQuery(useHttp(), search), enabled: !isSavedPage });
  const { hasFailed, retry, announcement } = useFirstLoad(list, serviceText);
  const pages = list.data?.pages ?? [];
  const { total, totalText } = countOf(pages, search);
  const changed = pages[0]?.changed;
  const isFiltered = Object.keys(filtersIn(search)).length > 0;
  const { q: _, ...otherParameters } = searchParameters({ ...requested, after: undefined });
  const isNothingFound = !isSavedPage && total === 0 && (search.q !== '' || isFiltered);
  return (
    <Page layout="list">
      <PageHead name={name} listed={isSavedPage ? undefined : headOf(search, list.data)} />
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
        <div className="grid gap-1">
          <h1 className="text-heading">{name}</h1>
          <LiveRegion className="min-h-[1.55em] text-muted wrap-anywhere tabular-nums">
            {isSavedPage ? (
              <SavedAndViewedCounts />
            ) : totalText === undefined ? (
              <span className={hasFailed ? 'sr-only' : ''}>{announcement}</span>
            ) : changed ? (
              text.changed(totalText, changed)
            ) : search.q ? (
              text.found(totalText, search.q)
            ) : (
              totalText
            )}
          </LiveRegion>
        </div>
        {isSavedPage || (
          <SortChoice search={requested} onChoose={(address) => void navigate(address, { preventScrollReset: true })} />
        )}
      </div>
      <ServiceSearchField value={isSavedPage ? '' : search.q} keep={otherParameters} className="lg:hidden" />
      {isNothingFound || <SearchChips search={isSavedPage ? undefined : requested} />}
      {isSavedPage || <ServiceFilters search={requested} foundArea={pages[0]?.rows.length ? search.area : undefined} />}
      {isSavedPage ? (
        <>
          <NeedsScript what="page" />
          <SavedAndViewed />
        </>
      ) : hasFailed && search.after && isBadRequest(list.error) ? (
        <Alert
          kind="warn"
          action={
            <Link to={searchAddress({ ...search, after: undefined })} className="link">
              {commonText.firstPage}
            </Link>
          }
        >
          {commonText.outdatedPage}
        </Alert>
      ) : hasFailed ? (
        <RetryAlert title={serviceText.failed} pending={list.isFetching} onRetry={retry} />
      ) : isNothingFound ? (
        <NothingFound search={search} isFiltered={isFiltered} />
      ) : total === 0 ? (
        <NoServices level={2} />
      ) : (
        <ServiceList search={search} list={list} />
      )}
    </Page>
  );
}

/**
 * Returns the number of services and a text about it. The number is undefined while the services load, and null if the API
 * does not know it.
 */
function countOf(pages: readonly ServicePage[], { after }: ServiceSearch) {
  const [first, last] = [pages[0], pages.at(-1)];
  if (!first || !last) return { total: undefined, totalText: undefined };
  const shown = pages.reduce((sum, { rows }) => sum + rows.length, 0);
  const isWhole = last.after === undefined && after === undefined;
  const total = last.total ?? (isWhole ? shown : null);
  if (total !== null) return { total, totalText: text.total(total) };
  // The API sends no total for a very long list. The text then contains the number of services on the first page. This
  // number stays the same when more pages load, so screen readers announce it only once.
  return { total, totalText: text.moreThan(first.rows.length) };
}

/**
 * Returns the metadata of the page. Even for a search or a later page, the canonical address is the address of the complete
 * list. So only the first page of the complete list has structured data about its services.
 */
function headOf(search: ServiceSearch, data: InfiniteData<ServicePage> | undefined) {
  const isWhole = searchAddress(search) === '/services';
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

function NothingFound({ search, isFiltered }: { search: ServiceSearch; isFiltered: boolean }) {
  return (
    <PageState
      picture="/pictures/placeholder.svg"
      title={search.q ? text.nothingFound.title(search.q) : text.nothingFound.filtered}
      action={<ButtonLink to="/services">{text.nothingFound.action}</ButtonLink>}
    >
      <p className="pb-3">{isFiltered ? text.nothingFound.fewerFilters : text.nothingFound.body}</p>
      <PredefinedSearches search={search} />
    </PageState>
  );
}
