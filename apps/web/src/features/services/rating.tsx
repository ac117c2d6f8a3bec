import { isVisible, type Service } from '@rtr/shared';
import { Stars } from '../../ui/stars.tsx';

const text = {
  none: 'No star ratings yet',
  byLister: 'Lister’s own rating: ',
  difference:
    'Stars come from reviews by customers. The lister’s own rating is in the lister’s own words, so the two can differ.',
  spoken: (average: string, count: number) =>
    `${average} out of 5 stars, ${count} ${count === 1 ? 'rating' : 'ratings'}`,
};

interface RatingProps {
  averageRating: number | null;
  ratingCount: number;
}

export function Rating({ averageRating, ratingCount }: RatingProps) {
  if (averageRating === null) return <p className="text-small text-muted">{text.none}</p>;
  const figure = averageRating.toFixed(1);
  return (
    <p className="flex flex-wrap items-center gap-2 text-small tabular-nums">
      <Stars value={averageRating} />
      <span aria-hidden="true">
        <strong className="font-bold">{figure}</strong> <span className="text-muted">({ratingCount})</span>
      </span>
      <span className="sr-only">{text.spoken(figure, ratingCount)}</span>
    </p>
  );
}

/** Shows the lister's own rating of the service, with a label. Renders nothing without this rating. */
export function ListersRating({ rating, className = '' }: { rating: string; className?: string }) {
  if (!isVisible(rating)) return null;
  return (
    <p className={`text-muted ${className}`}>
      {text.byLister}
      <bdi>{rating}</bdi>
    </p>
  );
}

/** Explains the difference between the customers' rating and the lister's rating. Renders nothing if no service has both. */
export function RatingsNote({ services }: { services: readonly Pick<Service, 'ratting' | 'averageRating'>[] }) {
  const hasBoth = services.some(({ ratting, averageRating }) => isVisible(ratting) && averageRating !== null);
  return hasBoth && <p className="measure text-small text-muted">{text.difference}</p>;
}
