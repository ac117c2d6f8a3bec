import { useState } from 'react';
import { useNewCount } from '../../lib/new-count.ts';
import { LiveRegion } from '../../ui/live-region.tsx';

export const newsText = (count: number) => (count > 0 ? `News (${count} new)` : 'News');

/** A dot with the number of new entries, at the corner of the surrounding element. It takes no space in the layout. */
export function NewDot() {
  const count = useNewCount();
  if (count === 0) return null;
  return (
    <span
      aria-hidden="true"
      className="pointer-events-none absolute -top-1 -right-1 min-w-6 rounded-full border-2 border-surface bg-primary px-1 text-center text-small leading-5 font-bold text-on-primary tabular-nums"
    >
      {count}
    </span>
  );
}

/** Announces new entries, but not that the customer has read some. */
export function NewsAnnouncement() {
  const count = useNewCount();
  const [seen, setSeen] = useState({ count: 0, hasGrown: false });
  if (seen.count !== count) setSeen({ count, hasGrown: count > seen.count });
  return <LiveRegion variant="hidden">{seen.hasGrown && newsText(count)}</LiveRegion>;
}
