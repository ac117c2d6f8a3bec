import type { Service } from '@rtr/shared';
import { type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { Link, useViewTransitionState } from 'react-router-dom';
import { retryOnce } from '../../lib/retry.ts';
import { Picture } from '../../ui/picture.tsx';
import { Rating } from './rating.tsx';
import type { SaveButtonProps } from './save-button.tsx';
import { excerptOf, listersRatingOf, priceOf, titleOf } from './texts.ts';

// It comes right after the first cards are drawn; where it does not, they do without.
const SaveButton = lazy<ComponentType<SaveButtonProps>>(() =>
  retryOnce(() => import('./save-button.tsx')).then(
    (loaded) => ({ default: loaded.SaveButton }),
    () => ({ default: () => null }),
  ),
);

const frame =
  'relative flex h-full flex-col overflow-hidden rounded-card border-2 border-line bg-surface wrap-anywhere transition-colors';

interface ServiceCardProps {
  service: Service;
  /** One below the heading that the list stands under. */
  level?: 2 | 3;
  eager?: boolean;
  /** Its picture does not become the one of the details: another on the page does, or is that one. */
  still?: boolean;
}

/** A service in a list. The whole card is the target; the link is its title. The heart stands above it. */
export function ServiceCard({ service, level = 3, eager = false, still = false }: ServiceCardProps) {
  const Heading = `h${level}` as const;
  const to = `/services/${service._id}`;
  const opening = useViewTransitionState(to) && !still;
  return (
    <article className={`${frame} has-[a:hover]:border-ink`}>
      <Picture src={service.img} alt="" eager={eager} transition={opening ? 'service-picture' : undefined} />
      <div className="flex flex-1 flex-col gap-2 p-4">
        <Heading className="text-title">
          <Link to={to} viewTransition className="line-clamp-2 after:absolute after:inset-0 after:rounded-card">
            {titleOf(service)}
          </Link>
        </Heading>
        <Rating {...service} />
        <p className="text-small text-muted">{excerptOf(service.description)}</p>
      </div>
      <div className="tear-line mx-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3">
        <p className="text-price tabular-nums">{priceOf(service)}</p>
        <p className="text-small text-muted">{listersRatingOf(service.ratting)}</p>
      </div>
      {/* One that is only being written has no id. */}
      {service._id && (
        <Suspense>
          <SaveButton service={service} className="absolute top-2 right-2" />
        </Suspense>
      )}
    </article>
  );
}

/** The box of most services, empty: ceiling and floor are drawn, the wall is bare. */
export function ServiceCardPlaceholder() {
  return (
    <div className={frame} aria-hidden="true">
      <div className="flex aspect-4/3 flex-col bg-sunken">
        <div className="ceiling" />
        <div className="mt-auto h-[12%] border-t-4 border-drawn bg-line" />
      </div>
      <div className="grid flex-1 content-start gap-2 p-4">
        <div className="h-12 w-4/5 rounded-drawn bg-sunken" />
        <div className="h-[1lh] w-2/5 rounded-drawn bg-sunken text-small" />
        <div className="h-[3lh] rounded-drawn bg-sunken text-small min-[72rem]:h-[2lh]" />
      </div>
      <div className="tear-line mx-4 py-3">
        <div className="h-6.5 w-1/3 rounded-drawn bg-sunken" />
      </div>
    </div>
  );
}

/** One column, two, three: one long kitchen. */
export function ServiceGrid({ children, busy = false }: { children: ReactNode; busy?: boolean }) {
  return (
    <ul aria-busy={busy} className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
      {children}
    </ul>
  );
}
