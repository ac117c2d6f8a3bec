import { useQuery } from '@tanstack/react-query';
import { useHttp } from '../../lib/http-context.ts';
import { useFirstLoad } from '../../lib/use-first-load.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { Toolbar } from '../../ui/page.tsx';
import { RetryAlert } from '../../ui/retry-alert.tsx';
import { NoServices } from './no-services.tsx';
import { newestServicesQuery } from './queries.ts';
import { RatingsNote } from './rating.tsx';
import { PlaceholderItems, ServiceCard, ServiceGrid, ServiceGridItem } from './service-card.tsx';
import { serviceText } from './texts.ts';

export function NewestServices() {
  const list = useQuery(newestServicesQuery(useHttp()));
  const { hasFailed, retry, announcement } = useFirstLoad(list, serviceText);
  return (
    <section className="grid gap-6">
      <Toolbar>
        <h2 className="text-section">{serviceText.newest}</h2>
        <ButtonLink tone="quiet" to="/services">
          {serviceText.seeAll}
        </ButtonLink>
      </Toolbar>
      <LiveRegion variant="hidden">{announcement}</LiveRegion>
      {hasFailed ? (
        <RetryAlert title={serviceText.failed} level={3} pending={list.isFetching} onRetry={retry} />
      ) : list.data?.length === 0 ? (
        <NoServices level={3} />
      ) : (
        <>
          <ServiceGrid busy={list.isPending}>
            {list.data?.map((service) => (
              <ServiceGridItem key={service._id}>
                <ServiceCard service={service} />
              </ServiceGridItem>
            )) ?? <PlaceholderItems />}
          </ServiceGrid>
          <RatingsNote services={list.data ?? []} />
        </>
      )}
    </section>
  );
}
