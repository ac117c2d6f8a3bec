import type { StarDistribution } from '@rtr/shared';
import { Link, type To } from 'react-router-dom';

const text = {
  heading: 'Customers’ stars',
  stars: (stars: number) => `${stars} ${stars === 1 ? 'star' : 'stars'}`,
};

const rows = [5, 4, 3, 2, 1] as const;
export type StarRow = (typeof rows)[number];

// Ember for 1 to ice for 5: the line that air takes.
const bars: Record<StarRow, string> = {
  1: 'bg-fire',
  2: 'bg-amber',
  3: 'bg-steel-shade',
  4: 'bg-cold',
  5: 'bg-deep-ice',
};

interface DistributionProps {
  distribution: StarDistribution;
  /** The row that the reviews are narrowed to. */
  chosen: StarRow | undefined;
  /** Address of the reviews with so many stars; of all reviews without. */
  addressOf: (stars?: StarRow) => To;
}

/** How many gave how many stars. Each row narrows the reviews to its own; the chosen one, pressed again, shows all. */
export function Distribution({ distribution, chosen, addressOf }: DistributionProps) {
  const most = Math.max(1, ...rows.map((stars) => distribution[stars]));
  return (
    <ul aria-label={text.heading} className="grid">
      {rows.map((stars) => (
        <li key={stars}>
          <Link
            to={addressOf(stars === chosen ? undefined : stars)}
            preventScrollReset
            aria-current={stars === chosen}
            className="grid min-h-12 grid-cols-[4.5rem_1fr_3rem] items-center gap-3 rounded-control px-3 text-small font-semibold tabular-nums hover:bg-sunken aria-[current=true]:bg-tint aria-[current=true]:text-primary"
          >
            <span>{text.stars(stars)}</span>
            <span className="h-2 rounded-r-full bg-sunken" aria-hidden="true">
              <span
                className={`block h-2 rounded-r-full ${bars[stars]}`}
                style={{ width: `${(distribution[stars] / most) * 100}%` }}
              />
            </span>
            <span className="text-right">{distribution[stars]}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
