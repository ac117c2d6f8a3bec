import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Link, useLocation, useNavigate, useNavigation } from 'react-router-dom';
import { focusHeadingOnRemoval } from '../../lib/focus.ts';
import { LoadMore } from '../../ui/load-more.tsx';
import { commonText } from '../../ui/texts.ts';
import type { ServicePage, ServiceSearch } from './queries.ts';
import { RatingsNote } from './rating.tsx';
import { addressWithCount, searchAddress } from './search-tools.tsx';
import { PlaceholderItems, ServiceCard, ServiceGrid, ServiceGridItem } from './service-card.tsx';
import { serviceText } from './texts.ts';

interface ServiceListProps {
  search: ServiceSearch;
  list: UseInfiniteQueryResult<InfiniteData<ServicePage>>;
}

export function ServiceList({ search, list }: ServiceListProps) {
  const pages = list.data?.pages ?? [];
  const services = pages.flatMap(({ rows }) => rows);
  useCountInAddress(pages.length > 1 ? services.length : undefined);
  return (
    <>
      {search.after && (
        <p ref={focusHeadingOnRemoval}>
          <Link to={searchAddress({ ...search, after: undefined })} className="link">
            {commonText.firstPage}
          </Link>
        </p>
      )}
      <RatingsNote services={services} />
      <ServiceGrid busy={list.isPending}>
        {/* On a phone, only the first picture is visible without scrolling. */}
        {services.map((service, index) => (
          <ServiceGridItem key={service._id}>
            <ServiceCard service={service} level={2} eager={index === 0} />
          </ServiceGridItem>
        ))}
        {(list.isPending || list.isFetchingNextPage) && <PlaceholderItems />}
      </ServiceGrid>
      {list.hasNextPage && (
        <LoadMore
          list={list}
          failure={serviceText.moreFailed}
          nextPage={searchAddress({ ...search, after: pages.at(-1)?.after })}
        />
      )}
    </>
  );
}

/**
 * If more than one page is loaded, writes the number of loaded services into the address. After a reload or the Back button,
 * the page loads the same number of services and restores its scroll position.
 */
function useCountInAddress(count: number | undefined): void {
  const location = useLocation();
  const navigate = useNavigate();
  const { state } = useNavigation();
  useEffect(() => {
    const current = new URLSearchParams(location.search).get('count');
    // While another page opens, the list must not change the address, because this would cancel the navigation.
    if (state !== 'idle' || current === (count ? String(count) : null)) return;
    const options = { replace: true, preventScrollReset: true, state: location.state as unknown };
    void navigate(addressWithCount(location, count), options);
  }, [count, location, navigate, state]);
}
