import { limits, type ServiceDetails } from '@rtr/shared';
import { useId } from 'react';
// oxlint-disable-next-line no-restricted-imports -- a search changes no data, so it may be sent twice
import { Form, useLocation, useNavigate } from 'react-router-dom';
import { useRequestedSearch } from '../../lib/use-requested-search.ts';
import { IconButton } from '../../ui/button.tsx';
import { FilterLink } from '../../ui/chip.tsx';
import { Choice } from '../../ui/choice.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Input } from '../../ui/input.tsx';
import { commonText } from '../../ui/texts.ts';
import type { ReviewSearch } from './queries.ts';
import { reviewSearchAddress, reviewSearchIn, reviewSearchParameters, sortNames } from './review-search.ts';
import { Distribution } from './star-distribution.tsx';

const text = {
  search: 'Search these reviews',
  withPhotos: 'With photos',
  /** For reviews without stars, by the lister, or by a customer who has rated the service again later. */
  uncounted: (count: number) => `${count === 1 ? '1 review adds' : `${count} reviews add`} no stars to the rating.`,
};

/**
 * Returns a function that creates an address of this page with the given changes. The filter and the order keep their
 * current values if they are not changed. Without `after` in the changes, the address opens the first page of the list.
 */
export function useReviewAddress() {
  const { pathname } = useLocation();
  const requested = reviewSearchIn(useRequestedSearch());
  return (changes: Partial<ReviewSearch>) =>
    reviewSearchAddress(pathname, { ...requested, after: undefined, ...changes });
}

/** The orders that every reader can choose. The lister can also choose `unanswered`. */
const { unanswered: _, ...publicSortNames } = sortNames;

export function ReviewSortChoice({ isLister }: { isLister: boolean }) {
  const { sort, ...filter } = reviewSearchIn(useRequestedSearch());
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const addressTo = useReviewAddress();
  return (
    <Choice
      label={commonText.sortBy}
      value={sort}
      options={isLister || sort === 'unanswered' ? sortNames : publicSortNames}
      onChoose={(chosen) => void navigate(addressTo({ sort: chosen }), { preventScrollReset: true, replace: true })}
      action={pathname}
      name="sort"
      keep={reviewSearchParameters({ ...filter, after: undefined })}
    />
  );
}

type RatedService = Pick<ServiceDetails, 'distribution' | 'ratingCount' | 'reviewCount'>;

/** The filters of the reviews: by stars, by words and by photos. */
export function ReviewFilters({ service }: { service: RatedService }) {
  const search = reviewSearchIn(useRequestedSearch());
  const { pathname } = useLocation();
  const addressTo = useReviewAddress();
  const id = useId();
  const { rating, q, photos } = search;
  const uncounted = service.reviewCount - service.ratingCount;
  return (
    <div className={`grid max-w-120 gap-4 ${service.ratingCount > 0 ? 'lg:sticky lg:top-6' : ''}`}>
      {service.ratingCount > 0 && (
        <div>
          <Distribution
            distribution={service.distribution}
            current={rating}
            addressOf={(stars) => addressTo({ rating: stars })}
          />
          {uncounted > 0 && <p className="pt-2 text-small text-muted">{text.uncounted(uncounted)}</p>}
        </div>
      )}
      <div data-screen-only className="flex flex-wrap items-center gap-2">
        <Form
          action={pathname}
          role="search"
          aria-label={text.search}
          preventScrollReset
          className="relative min-w-[min(12rem,100%)] flex-1"
        >
          <label htmlFor={id} className="sr-only">
            {text.search}
          </label>
          <Input
            hasButton
            key={q}
            id={id}
            type="search"
            name="q"
            defaultValue={q}
            maxLength={limits.searchLength}
            placeholder={text.search}
            enterKeyHint="search"
          />
          <HiddenFields values={reviewSearchParameters({ ...search, q: '', after: undefined })} />
          <IconButton label={text.search} variant="inField" type="submit">
            <Icon name="search" />
          </IconButton>
        </Form>
        <FilterLink to={addressTo({ photos: !photos })} isCurrent={photos}>
          {text.withPhotos}
        </FilterLink>
      </div>
    </div>
  );
}
