import { limits, type ServiceSort } from '@rtr/shared';
import { FilterLink } from '../../ui/chip.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Icon } from '../../ui/icon.tsx';
import { commonText } from '../../ui/texts.ts';
import { predefinedSearches } from './predefined-searches.ts';
import { defaultSortOf, filtersIn, type ServiceSearch } from './queries.ts';
import { useSavedIds } from './saved-services.ts';

const text = {
  predefinedSearches: 'What do you need?',
  all: 'All services',
  saved: (count: number) => `${count} saved`,
};

const sortNames: Record<ServiceSort, string> = {
  relevance: 'Most relevant',
  newest: commonText.newest,
  rating: commonText.highestRated,
  price: 'Lowest price',
  title: 'Title (A–Z)',
};
const { relevance: _, ...sortNamesWithoutSearch } = sortNames;
const sorts = Object.keys(sortNamesWithoutSearch) as ServiceSort[];

/** Reads a search from the query parameters of an address. Ignores invalid parameters. */
export function searchIn(parameters: URLSearchParams): ServiceSearch {
  const q = (parameters.get('q') ?? '').trim().slice(0, limits.searchLength);
  const sort = sorts.find((known) => known === parameters.get('sort'));
  return {
    q,
    sort: sort === defaultSortOf(q) ? undefined : sort,
    area: (parameters.get('area') ?? '').trim().slice(0, limits.areaLength) || undefined,
    minRating: ['3', '4'].find((stars) => stars === parameters.get('minRating')),
    contact: parameters.get('contact') === '1' ? '1' : undefined,
    photos: parameters.get('photos') === '1' ? '1' : undefined,
    after: parameters.get('after') ?? undefined,
  };
}

/** Returns the query parameters of a search. Default values are left out. */
export const searchParameters = ({ q, sort, after, ...filters }: Partial<ServiceSearch>) => ({
  ...(q && { q }),
  ...filtersIn(filters),
  ...(sort && sort !== defaultSortOf(q) && { sort }),
  ...(after && { after }),
});

/** Returns the address of a search. */
export function searchAddress(search: Partial<ServiceSearch>): string {
  const parameters = new URLSearchParams(searchParameters(search)).toString();
  return `/services${parameters && `?${parameters}`}`;
}

/**
 * Returns the address with the query parameter `count`: the number of services to load when the page is restored. If `count`
 * is undefined, removes the parameter.
 */
export function addressWithCount({ pathname, search }: Pick<URL, 'pathname' | 'search'>, count?: number): string {
  const parameters = new URLSearchParams(search);
  if (count) parameters.set('count', String(count));
  else parameters.delete('count');
  const query = parameters.toString();
  return pathname + (query && `?${query}`);
}

/** If the row of links is wider than the window, scrolls the current link to the middle. */
function scrollToChip(chip: HTMLElement | null): void {
  const row = chip?.closest('nav');
  if (chip && row) row.scrollLeft = chip.offsetLeft - (row.clientWidth - chip.offsetWidth) / 2;
}

/**
 * Links to all services, the saved services and the predefined searches. `search` is undefined if the page shows the saved
 * services. The link to the saved services is then marked as current.
 */
export function SearchChips({ search }: { search: ServiceSearch | undefined }) {
  return (
    <nav
      aria-label={text.predefinedSearches}
      className="relative -mx-(--gutter) overflow-x-auto px-(--gutter) py-1 sm:mx-0 sm:px-0"
    >
      <ul className="flex gap-2 whitespace-nowrap sm:flex-wrap">
        <li>
          <FilterLink to={searchAddress({ ...search, q: '', after: undefined })} isCurrent={search?.q === ''}>
            {text.all}
          </FilterLink>
        </li>
        <li>
          <FilterLink to="/services?saved" isCurrent={!search}>
            <Icon name="heart" />
            {text.saved(useSavedIds().length)}
          </FilterLink>
        </li>
        <PredefinedSearchItems search={search} />
      </ul>
    </nav>
  );
}

export function PredefinedSearches({ search }: { search: ServiceSearch }) {
  return (
    <nav aria-label={text.predefinedSearches}>
      <ul className="flex flex-wrap gap-2 max-sm:justify-center">
        <PredefinedSearchItems search={search} />
      </ul>
    </nav>
  );
}

function PredefinedSearchItems({ search }: { search: ServiceSearch | undefined }) {
  return predefinedSearches.map(({ name, search: q }) => {
    const isCurrent = search?.q.toLowerCase() === q;
    return (
      <li key={name}>
        <FilterLink
          ref={isCurrent ? scrollToChip : null}
          to={searchAddress({ ...search, q, after: undefined })}
          isCurrent={isCurrent}
        >
          {name}
        </FilterLink>
      </li>
    );
  });
}

interface SortChoiceProps {
  search: ServiceSearch;
  onChoose: (address: string) => void;
}

export function SortChoice({ search, onChoose }: SortChoiceProps) {
  return (
    <Choice
      label={commonText.sortBy}
      value={search.sort ?? defaultSortOf(search.q)}
      options={search.q ? sortNames : sortNamesWithoutSearch}
      onChoose={(sort) => onChoose(searchAddress({ ...search, sort, after: undefined }))}
      action="/services"
      name="sort"
      keep={searchParameters({ ...search, sort: undefined, after: undefined })}
    />
  );
}
