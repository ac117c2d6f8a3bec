import type { ServiceSort } from '@rtr/shared';
import { Link } from 'react-router-dom';
import { Choice } from '../../ui/choice.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useSaved } from './kept.ts';
import { needs } from './needs.ts';
import type { ServiceSearch } from './queries.ts';

const text = {
  needs: 'What do you need?',
  all: 'All services',
  saved: (count: number) => `${count} saved`,
  sort: 'Sort by',
  sorts: { newest: 'Newest', rating: 'Best rated', price: 'Lowest price', title: 'Name' } satisfies Record<
    ServiceSort,
    string
  >,
};

const sorts = Object.keys(text.sorts) as ServiceSort[];

/** What an address says of a search; what it does not say, or says wrongly, is the usual. */
export function searchIn(parameters: URLSearchParams): ServiceSearch {
  const sort = parameters.get('sort');
  return {
    q: (parameters.get('q') ?? '').trim().slice(0, 200),
    sort: sorts.find((known) => known === sort) ?? 'newest',
    after: parameters.get('after') ?? undefined,
  };
}

/** The address of a search, without what is the default. */
export function searchAddress({ q, sort, after }: Partial<ServiceSearch>): string {
  const parameters = new URLSearchParams({
    ...(q && { q }),
    ...(sort && sort !== 'newest' && { sort }),
    ...(after && { after }),
  }).toString();
  return `/services${parameters && `?${parameters}`}`;
}

const chip =
  'inline-flex min-h-12 items-center gap-2 rounded-control border-2 border-control bg-surface px-4 font-semibold whitespace-nowrap text-ink hover:border-ink aria-[current=true]:border-primary aria-[current=true]:bg-tint aria-[current=true]:text-primary';

/** Where the chips do not fit side by side, the one that is marked comes into sight. */
function intoSight(chip: HTMLElement | null): void {
  const row = chip?.closest('nav');
  if (chip && row) row.scrollLeft = chip.offsetLeft - (row.clientWidth - chip.offsetWidth) / 2;
}

/** One press narrows the catalogue to a need, or to what is saved here, where there is no `search`; it is marked. */
export function NeedChips({ search }: { search: ServiceSearch | undefined }) {
  return (
    <nav aria-label={text.needs} className="relative -mx-(--gutter) overflow-x-auto px-(--gutter) py-1 sm:mx-0 sm:px-0">
      <ul className="flex gap-2 sm:flex-wrap">
        <li>
          <Link
            to={searchAddress({ ...search, q: '', after: undefined })}
            preventScrollReset
            aria-current={search?.q === ''}
            className={chip}
          >
            {text.all}
          </Link>
        </li>
        <li>
          <Link to="/services?saved" preventScrollReset aria-current={!search} className={chip}>
            <Icon name="heart" />
            {text.saved(useSaved().length)}
          </Link>
        </li>
        <Needs search={search} />
      </ul>
    </nav>
  );
}

/** What to look for instead of what is not there. */
export function OtherNeeds({ search }: { search: ServiceSearch }) {
  return (
    <nav aria-label={text.needs}>
      <ul className="flex flex-wrap gap-2 max-sm:justify-center">
        <Needs search={search} />
      </ul>
    </nav>
  );
}

function Needs({ search }: { search: ServiceSearch | undefined }) {
  return needs.map(({ name, search: q }) => {
    const chosen = search?.q.toLowerCase() === q;
    return (
      <li key={name}>
        <Link
          ref={chosen ? intoSight : null}
          to={searchAddress({ ...search, q, after: undefined })}
          preventScrollReset
          aria-current={chosen}
          className={chip}
        >
          {name}
        </Link>
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
      label={text.sort}
      value={search.sort}
      options={text.sorts}
      onChoose={(sort) => onChoose(searchAddress({ q: search.q, sort }))}
      action="/services"
      name="sort"
      keep={search.q ? { q: search.q } : {}}
    />
  );
}
