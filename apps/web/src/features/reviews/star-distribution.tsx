import type { StarDistribution } from '@rtr/shared';
import type { To } from 'react-router-dom';
import { FilterLink } from '../../ui/chip.tsx';
import { type StarCount, starCounts } from './queries.ts';

const text = {
  heading: 'Star ratings from customers',
  stars: (stars: StarCount) => `${stars} ${stars === '1' ? 'star' : 'stars'}`,
};

const rows = starCounts.toReversed();

const bars: Record<StarCount, string> = {
  1: 'bg-fire',
  2: 'bg-amber',
  3: 'bg-steel-shade',
  4: 'bg-cold',
  5: 'bg-deep-ice',
};

interface DistributionProps {
  distribution: StarDistribution;
  /** The number of stars by which the reviews are filtered. Undefined without a filter. */
  current: StarCount | undefined;
  /** Returns the address of the reviews with this number of stars. Undefined means all reviews. */
  addressOf: (stars: StarCount | undefined) => To;
}

export function Distribution({ distribution, current, addressOf }: DistributionProps) {
  const maxCount = Math.max(1, ...rows.map((stars) => distribution[stars]));
  return (
    <ul aria-label={text.heading} className="grid">
      {rows.map((stars) => (
        <li key={stars}>
          <FilterLink shape="row" to={addressOf(stars === current ? undefined : stars)} isCurrent={stars === current}>
            <span>{text.stars(stars)}</span>
            <span className="h-2 rounded-r-full bg-sunken" aria-hidden="true">
              <span
                className={`block h-2 rounded-r-full ${bars[stars]}`}
                style={{ width: `${(distribution[stars] / maxCount) * 100}%` }}
              />
            </span>
            <span className="text-right">{distribution[stars]}</span>
          </FilterLink>
        </li>
      ))}
    </ul>
  );
}
