import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { isNotFound } from '../../lib/api-error.ts';
import { focusNeighborOnRemoval } from '../../lib/focus.ts';
import { useHttp } from '../../lib/http-context.ts';
import { useHydrated } from '../../lib/page-context.ts';
import { useStorage } from '../../lib/storage-context.ts';
import { useFirstLoad } from '../../lib/use-first-load.ts';
import { useNearViewport } from '../../lib/use-near-viewport.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { Toolbar } from '../../ui/page.tsx';
import { PageState } from '../../ui/page-state.tsx';
import { RetryAlert } from '../../ui/retry-alert.tsx';
import { serviceQuery } from './queries.ts';
import { clearViewed, removeViewed, unsaveService, useSavedIds, useViewedIds } from './saved-services.ts';
import { ServiceCard, ServiceCardPlaceholder, ServiceGrid } from './service-card.tsx';
import { serviceText } from './texts.ts';

const text = {
  total: (saved: number, viewed: number) => `${saved} saved, ${viewed} viewed on this device`,
  saved: 'Saved services',
  viewed: 'Recently viewed services',
  clear: 'Clear recently viewed',
  noneSaved: {
    title: 'No saved services yet',
    body: 'Press the heart on a service to save it.',
  },
  noneViewed: 'Services you view appear here.',
  blocked: 'Your browser does not allow this site to store data, so you cannot save services here.',
  failed: 'Some services did not load',
  gone: { body: 'It may have been removed.', action: 'Remove from this list' },
};

export function SavedAndViewedCounts() {
  return text.total(useSavedIds().length, useViewedIds().length);
}

/** The saved and the viewed services. Only the browser knows them, so they are shown after hydration. */
export function SavedAndViewed() {
  return useHydrated() && <SavedAndViewedLists />;
}

function SavedAndViewedLists() {
  const storage = useStorage();
  const saved = useSavedIds();
  const viewed = useViewedIds();
  // A saved service that the customer removes on this page stays visible until they leave the page. So they can save it
  // again.
  const [initiallySaved] = useState(saved);
  if (storage.isBlocked()) return <Alert kind="warn">{text.blocked}</Alert>;
  const shown = [...saved.filter((id) => !initiallySaved.includes(id)), ...initiallySaved];
  return (
    <div className="grid gap-12">
      <Section
        title={text.saved}
        ids={shown}
        isListed={(id) => saved.includes(id)}
        onRemove={(id) => unsaveService(storage, id)}
        empty={
          <PageState
            level={3}
            picture="/pictures/placeholder.svg"
            title={text.noneSaved.title}
            action={<ButtonLink to="/services">{serviceText.seeAll}</ButtonLink>}
          >
            <p>{text.noneSaved.body}</p>
          </PageState>
        }
      />
      <Section
        title={text.viewed}
        ids={viewed}
        isListed={() => true}
        onRemove={(id) => removeViewed(storage, id)}
        onClear={() => clearViewed(storage)}
        hasTransition={false}
        empty={<p className="text-muted">{text.noneViewed}</p>}
      />
    </div>
  );
}

interface SectionProps {
  title: string;
  /** The device stores only the ids of the services. */
  ids: readonly string[];
  isListed: (id: string) => boolean;
  onRemove: (id: string) => void;
  onClear?: () => void;
  /**
   * Whether a service opens with a view transition. This is not possible if two sections may show the same service, because
   * two pictures would have the same transition name.
   */
  hasTransition?: boolean;
  empty: ReactNode;
}

function Section({ title, ids, isListed, onRemove, onClear, hasTransition = true, empty }: SectionProps) {
  // The ids of the services whose cards are near the visible part of the page. Only these services are fetched.
  const [nearIds, setNearIds] = useState<ReadonlySet<string>>(new Set());
  const http = useHttp();
  const results = useQueries({ queries: ids.map((id) => ({ ...serviceQuery(http, id), enabled: nearIds.has(id) })) });
  const items = ids
    .map((id, index) => ({ id, data: results[index]?.data, isGone: isNotFound(results[index]?.error) }))
    .filter(({ id, isGone }) => !isGone || isListed(id));
  const failed = results.filter(({ data, error }) => error && !data && !isNotFound(error));
  const isFetching = results.some((result) => result.isFetching && !result.data);
  const { hasFailed, retry, announcement } = useFirstLoad(
    {
      data: isFetching || failed.length > 0 ? undefined : items,
      isError: failed.length > 0,
      isFetching,
      refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
    },
    { loading: serviceText.loading, failed: text.failed },
  );
  // The clicked button disappears with its service. So the focus moves to the heading of the section.
  const heading = useRef<HTMLHeadingElement>(null);
  const focusHeading = () => heading.current?.focus();
  return (
    <section className="grid gap-6">
      <Toolbar>
        <h2 ref={heading} tabIndex={-1} className="text-section">
          {title}
        </h2>
        {onClear && ids.length > 0 && (
          <Button
            tone="quiet"
            onClick={() => {
              focusHeading();
              onClear();
            }}
          >
            {text.clear}
          </Button>
        )}
      </Toolbar>
      <LiveRegion variant="hidden">{hasFailed && announcement}</LiveRegion>
      {hasFailed && <RetryAlert title={text.failed} level={3} pending={isFetching} onRetry={retry} />}
      {items.length === 0 ? (
        empty
      ) : (
        <ServiceGrid busy={results.some(({ isFetching }) => isFetching)}>
          {items.map(({ id, data, isGone }) => (
            <Item key={id} onNear={() => setNearIds((known) => new Set(known).add(id))}>
              {isGone ? (
                <UnlistedCard
                  onRemove={() => {
                    focusHeading();
                    onRemove(id);
                  }}
                />
              ) : data ? (
                <ServiceCard service={data} hasTransition={hasTransition} />
              ) : (
                <ServiceCardPlaceholder />
              )}
            </Item>
          ))}
        </ServiceGrid>
      )}
    </section>
  );
}

function Item({ onNear, children }: { onNear: () => void; children: ReactNode }) {
  const item = useRef<HTMLLIElement>(null);
  useNearViewport(item, onNear, { assumeNear: true });
  useLayoutEffect(() => (item.current ? focusNeighborOnRemoval(item.current) : undefined), []);
  return <li ref={item}>{children}</li>;
}

function UnlistedCard({ onRemove }: { onRemove: () => void }) {
  return (
    <Card variant="dashed" className="flex h-full flex-col items-center justify-center gap-3 p-6 text-center">
      <h3 className="text-title">{serviceText.unlisted}</h3>
      <p className="text-muted">{text.gone.body}</p>
      <Button tone="quiet" onClick={onRemove}>
        {text.gone.action}
      </Button>
    </Card>
  );
}
