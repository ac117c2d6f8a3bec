import { isVisible, type Service, titleOf } from '@rtr/shared';
import type { ComponentProps, ReactNode } from 'react';
import { Link, useNavigation, useViewTransitionState } from 'react-router-dom';
import { focusNeighborOnRemoval } from '../../lib/focus.ts';
import { Card } from '../../ui/card.tsx';
import { Picture } from '../../ui/picture.tsx';
import { ProgressStripe } from '../../ui/progress-stripe.tsx';
import { ListersRating, Rating } from './rating.tsx';
import { SaveButton } from './save-button.tsx';
import { excerptOf, priceOf } from './texts.ts';

const frame = 'relative flex h-full flex-col wrap-anywhere transition-colors';

type ShownField =
  | '_id'
  | 'title'
  | 'img'
  | 'description'
  | 'area'
  | 'price'
  | 'ratting'
  | 'ratingCount'
  | 'averageRating';

interface ServiceCardProps {
  service: Pick<Service, ShownField>;
  /** The level of the card's heading. It must be one below the level of the heading above the list. */
  level?: 2 | 3;
  eager?: boolean;
  /**
   * Whether the service opens with a view transition. This is not possible if another picture on the page may have the same
   * transition name.
   */
  hasTransition?: boolean;
}

/** A service in a list. A click anywhere on the card opens the service, except on the heart button. */
export function ServiceCard({ service, level = 3, eager = false, hasTransition = true }: ServiceCardProps) {
  const Heading = `h${level}` as const;
  const to = `/services/${service._id}`;
  const isLoading = useNavigation().location?.pathname === to;
  const isOpening = useViewTransitionState(to) && hasTransition;
  return (
    <Card aria-busy={isLoading} className={`${frame} aria-busy:border-ink has-[a:hover]:border-ink`}>
      {/* The progress stripe is below the picture, because the lower edge of the card may be outside the window. */}
      <div className="relative">
        <Picture
          src={service.img}
          alt=""
          size="card"
          eager={eager}
          transition={isOpening ? 'service-picture' : undefined}
        />
        {isLoading && <ProgressStripe />}
      </div>
      <div className="flex flex-1 flex-col gap-2 p-4">
        <Heading className="text-title">
          <Link to={to} viewTransition className="line-clamp-2 after:absolute after:inset-0 after:rounded-card">
            {titleOf(service)}
          </Link>
        </Heading>
        {isVisible(service.area) && (
          <p className="line-clamp-1 text-small text-muted">
            <bdi>{service.area.trim()}</bdi>
          </p>
        )}
        <Rating {...service} />
        <p className="text-small text-muted">{excerptOf(service.description)}</p>
      </div>
      <div className="tear-line mx-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-3">
        <p className="text-price tabular-nums">{priceOf(service)}</p>
        <ListersRating rating={service.ratting} className="text-small" />
      </div>
      {/* The preview in a form has no id, so it has no button that adds it to the saved services. */}
      {service._id && <SaveButton service={service} className="absolute top-2 right-2" />}
    </Card>
  );
}

/**
 * An empty card that is shown while a service loads. It is as high as most cards, so that the content below moves little
 * when the service appears.
 */
export function ServiceCardPlaceholder() {
  return (
    <Card className={frame} aria-hidden="true">
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
    </Card>
  );
}

/** A list of service cards in one to three columns. Its children must be list items (`<li>`). */
export function ServiceGrid({ children, busy = false }: { children: ReactNode; busy?: boolean }) {
  return (
    <ul aria-busy={busy} className="grid gap-6 sm:grid-cols-2 lg:grid-cols-3">
      {children}
    </ul>
  );
}

/**
 * An item of a list of services. If a refresh removes the item while it contains the focus, the focus moves to another
 * item.
 */
export function ServiceGridItem(props: ComponentProps<'li'>) {
  return <li ref={focusNeighborOnRemoval} {...props} />;
}

export function PlaceholderItems({ count = 3 }: { count?: number }) {
  return Array.from({ length: count }, (_, index) => (
    <ServiceGridItem key={index}>
      <ServiceCardPlaceholder />
    </ServiceGridItem>
  ));
}
