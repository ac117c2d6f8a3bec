import { limits } from '@rtr/shared';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useId } from 'react';
// oxlint-disable-next-line no-restricted-imports -- a filter changes no data, so it may be sent twice
import { Form } from 'react-router-dom';
import { focusHeadingOnRemoval, focusNeighborOnRemoval } from '../../lib/focus.ts';
import { useHttp } from '../../lib/http-context.ts';
import { useStorage, useStoredValue } from '../../lib/storage-context.ts';
import { Button } from '../../ui/button.tsx';
import { FilterLink } from '../../ui/chip.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Input } from '../../ui/input.tsx';
import { areasQuery, type Filters, filtersIn, type ServiceSearch } from './queries.ts';
import { searchAddress, searchParameters } from './search-tools.tsx';

const text = {
  filters: 'Filters',
  active: 'Active filters',
  remove: (name: string) => `Remove the filter ${name}`,
  clear: 'Clear all',
  areas: 'Most used areas',
  lastArea: 'Last used:',
  areaField: 'Another area',
  apply: 'Apply',
  more: 'Stars, contact and pictures',
  names: {
    area: (area) => area,
    minRating: (stars) => `${stars} stars or more`,
    contact: () => 'Phone or website',
    photos: () => 'With photos',
  } satisfies Record<keyof Filters, (value: string) => string>,
};

type Filter = [name: keyof Filters, value: string];

const choices: readonly Filter[] = [
  ['minRating', '3'],
  ['minRating', '4'],
  ['contact', '1'],
  ['photos', '1'],
];

/** The area in which services were last found on this device. It is offered, but not applied without a click. */
const lastAreaKey = 'rtr-area';

/**
 * The filters of the list of services. Each choice is a link and the area is a form, so they work without JavaScript. Each
 * active filter is a link that removes it. `foundArea` is the area that is chosen now, or undefined if no area is chosen or
 * no service was found.
 */
export function ServiceFilters({ search, foundArea }: { search: ServiceSearch; foundArea: string | undefined }) {
  const storage = useStorage();
  const lastArea = useStoredValue(lastAreaKey);
  useEffect(() => {
    if (foundArea) storage.set(lastAreaKey, foundArea);
  }, [foundArea, storage]);
  const active = Object.entries(filtersIn(search)) as Filter[];
  const addressWith = (changes: Filters) => searchAddress({ ...search, after: undefined, ...changes });
  return (
    <div data-screen-only className="flex min-w-0 flex-wrap gap-2">
      <details className="open:w-full">
        <summary className="button button-quiet">{text.filters}</summary>
        <FilterChoices search={search} addressWith={addressWith} />
      </details>
      {active.length > 0 ? (
        <ul aria-label={text.active} className="contents">
          {active.map(([name, value]) => (
            <li key={name} ref={focusNeighborOnRemoval} className="max-w-full">
              <FilterLink
                to={addressWith({ [name]: undefined })}
                isCurrent
                aria-label={text.remove(text.names[name](value))}
              >
                <bdi className="truncate">{text.names[name](value)}</bdi>
                <Icon name="close" />
              </FilterLink>
            </li>
          ))}
          <li ref={focusHeadingOnRemoval}>
            <FilterLink to={searchAddress({ q: search.q, sort: search.sort })} isCurrent={false}>
              {text.clear}
            </FilterLink>
          </li>
        </ul>
      ) : (
        lastArea && (
          <div className="min-w-0 flex-1">
            <FilterLink to={addressWith({ area: lastArea })} isCurrent={false}>
              <span className="truncate">
                {text.lastArea} <bdi>{lastArea}</bdi>
              </span>
            </FilterLink>
          </div>
        )
      )}
    </div>
  );
}

interface FilterChoicesProps {
  search: ServiceSearch;
  /** Returns the address of the search with other filters. */
  addressWith: (changes: Filters) => string;
}

function FilterChoices({ search, addressWith }: FilterChoicesProps) {
  const id = useId();
  const { data: areas = [] } = useQuery(areasQuery(useHttp()));
  const { area, ...others } = searchParameters({ ...search, after: undefined });
  const toggle = ([name, value]: Filter) => {
    const isCurrent = search[name] === value;
    return { isCurrent, to: addressWith({ [name]: isCurrent ? undefined : value }) };
  };
  return (
    <div className="grid grid-cols-1 gap-4 pt-4">
      <ul aria-label={text.areas} className="flex flex-wrap gap-2">
        {areas.map((used) => (
          <li key={used.area} className="max-w-full">
            <FilterLink {...toggle(['area', used.area])}>
              <bdi className="truncate">{used.area}</bdi> <span className="font-normal tabular-nums">{used.count}</span>
            </FilterLink>
          </li>
        ))}
      </ul>
      <Form action="/services" preventScrollReset className="flex flex-wrap items-end gap-2">
        <div className="grid max-w-80 min-w-0 flex-1 gap-1">
          <label htmlFor={id} className="text-small">
            {text.areaField}
          </label>
          <Input
            key={area}
            ref={focusHeadingOnRemoval}
            id={id}
            name="area"
            defaultValue={area}
            maxLength={limits.areaLength}
          />
        </div>
        <HiddenFields values={others} />
        <Button type="submit" tone="quiet">
          {text.apply}
        </Button>
      </Form>
      <ul aria-label={text.more} className="flex flex-wrap gap-2">
        {choices.map((choice) => (
          <li key={choice.join('')}>
            <FilterLink {...toggle(choice)}>{text.names[choice[0]](choice[1])}</FilterLink>
          </li>
        ))}
      </ul>
    </div>
  );
}
