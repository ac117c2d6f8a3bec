import { useQueries } from '@tanstack/react-query';
import { type ReactNode, useRef, useState } from 'react';
import { ApiError } from '../../lib/api-error.ts';
import { storage } from '../../lib/storage.ts';
import { useFirstLoad } from '../../lib/use-first-load.ts';
import { useNear } from '../../lib/use-near.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { PageState } from '../../ui/page-state.tsx';
import { forgetView, forgetViews, unsave, useSaved, useViewed } from './kept.ts';
import type { serviceQuery } from './queries.ts';
import { ServiceCard, ServiceCardPlaceholder, ServiceGrid } from './service-card.tsx';

const text = {
  total: (saved: number, viewed: number) => `${saved} saved, ${viewed} viewed on this device`,
  saved: 'Saved',
  viewed: 'Recently viewed on this device',
  clear: 'Clear viewed services',
  noneSaved: {
    title: 'Nothing saved yet',
    body: 'Press the heart on a service, and it stands here.',
    action: 'Show all services',
  },
  noneViewed: 'The last services you open stand here.',
  blocked: 'This browser lets us keep nothing, so services cannot be saved or remembered here.',
  failed: { title: 'Some services did not load', body: 'The connection or our server failed. Nothing is lost.' },
  loading: 'Loading services…',
  retry: 'Try again',
  gone: { title: 'This service is not listed', body: 'It may have been removed.', action: 'Take it off this list' },
};

/** How many there are, said in the page's head. */
export function KeptTotal() {
  return text.total(useSaved().length, useViewed().length);
}

interface Props {
  /** How one is fetched: what is kept is only which. */
  one: (id: string) => ReturnType<typeof serviceQuery>;
}

/** What this device keeps of the catalogue: the services saved here, and those looked at last. */
export function KeptServices({ one }: Props) {
  const saved = useSaved();
  const viewed = useViewed();
  // What was saved when the page opened stands until it is left: the heart that took it off brings it back.
  const [opened] = useState(saved);
  if (storage.blocked()) return <Alert kind="warn">{text.blocked}</Alert>;
  const standing = [...saved.filter((id) => !opened.includes(id)), ...opened];
  return (
    <div className="grid gap-12">
      <Section
        title={text.saved}
        ids={standing}
        one={one}
        isKept={(id) => saved.includes(id)}
        onForget={unsave}
        empty={
          <PageState
            level={3}
            picture="/pictures/placeholder.svg"
            title={text.noneSaved.title}
            action={<ButtonLink to="/services">{text.noneSaved.action}</ButtonLink>}
          >
            <p>{text.noneSaved.body}</p>
          </PageState>
        }
      />
      <Section
        title={text.viewed}
        ids={viewed}
        one={one}
        isKept={() => true}
        onForget={forgetView}
        onClear={forgetViews}
        still
        empty={<p className="text-muted">{text.noneViewed}</p>}
      />
    </div>
  );
}

interface SectionProps extends Props {
  title: string;
  ids: readonly string[];
  isKept: (id: string) => boolean;
  onForget: (id: string) => void;
  onClear?: () => void;
  /** Its services may stand on the page twice. */
  still?: boolean;
  empty: ReactNode;
}

function Section({ title, ids, one, isKept, onForget, onClear, still = false, empty }: SectionProps) {
  // Each is fetched when its place comes near the window.
  const [near, setNear] = useState<ReadonlySet<string>>(new Set());
  const answers = useQueries({ queries: ids.map((id) => ({ ...one(id), enabled: near.has(id) })) });
  const places = ids
    .map((id, index) => ({ id, data: answers[index]?.data, gone: isMissing(answers[index]?.error) }))
    .filter(({ id, gone }) => !gone || isKept(id));
  const failed = answers.filter(({ data, error }) => error && !data && !isMissing(error));
  const isFetching = answers.some((answer) => answer.isFetching && !answer.data);
  const { hasFailed, retry, announcement } = useFirstLoad(
    {
      data: isFetching || failed.length > 0 ? undefined : places,
      isError: failed.length > 0,
      isFetching,
      refetch: () => Promise.all(failed.map(({ refetch }) => refetch())),
    },
    { loading: text.loading, failed: text.failed.title },
  );
  // The button that was pressed is removed with what it took away; the focus stays in this section.
  const heading = useRef<HTMLHeadingElement>(null);
  const stay = () => heading.current?.focus();
  return (
    <section className="grid gap-6">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <h2 ref={heading} tabIndex={-1} className="text-section">
          {title}
        </h2>
        {onClear && ids.length > 0 && (
          <Button
            tone="quiet"
            onClick={() => {
              stay();
              onClear();
            }}
          >
            {text.clear}
          </Button>
        )}
      </div>
      <p role="status" className="sr-only">
        {hasFailed && announcement}
      </p>
      {hasFailed && (
        <Alert
          action={
            <Button tone="quiet" pending={isFetching} onClick={retry}>
              {text.retry}
            </Button>
          }
        >
          <h3 className="font-bold">{text.failed.title}</h3>
          <p>{text.failed.body}</p>
        </Alert>
      )}
      {places.length === 0 ? (
        empty
      ) : (
        <ServiceGrid busy={answers.some(({ isFetching }) => isFetching)}>
          {places.map(({ id, data, gone }) => (
            <Place key={id} onNear={() => setNear((known) => new Set(known).add(id))}>
              {gone ? (
                <Gone
                  onForget={() => {
                    stay();
                    onForget(id);
                  }}
                />
              ) : data ? (
                <ServiceCard service={data} still={still} />
              ) : (
                <ServiceCardPlaceholder />
              )}
            </Place>
          ))}
        </ServiceGrid>
      )}
    </section>
  );
}

const isMissing = (error: unknown) => error instanceof ApiError && error.status === 404;

function Place({ onNear, children }: { onNear: () => void; children: ReactNode }) {
  return <li ref={useNear<HTMLLIElement>(onNear)}>{children}</li>;
}

function Gone({ onForget }: { onForget: () => void }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 rounded-card border-2 border-dashed border-control p-6 text-center">
      <h3 className="text-title">{text.gone.title}</h3>
      <p className="text-muted">{text.gone.body}</p>
      <Button tone="quiet" onClick={onForget}>
        {text.gone.action}
      </Button>
    </div>
  );
}
