import type { Review } from '@rtr/shared';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type Location, NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { ApiError } from '../../lib/api-error.ts';
import { useHydrated } from '../../lib/page-context.ts';
import { useFirstLoad } from '../../lib/use-first-load.ts';
import { useSettled } from '../../lib/use-settled.ts';
import { anchorOf, reviewIn } from './address.ts';
import type { publicReviewQuery } from './queries.ts';

interface Listing {
  serviceId: string;
  /** The rows that are there. */
  listed: Review[];
  /** The linked review, when it was deleted here and may come back. */
  held: (id: string | undefined) => Review | undefined;
  query: (id: string) => ReturnType<typeof publicReviewQuery>;
  /** The texts for another try. */
  said: { loading: string; failed: string };
}

/**
 * The review that the address names by `#review-<id>`. One that is not among the rows is fetched by itself, and stands
 * apart from then on. Its row, `Ticket` with this anchor, gets the focus and is scrolled to, once for each time the
 * link is followed; Back leaves the page where it was.
 */
export function useLinkedReview({ serviceId, listed, held, query, said }: Listing) {
  const location = useLocation();
  // The server is not told the hash.
  const id = reviewIn(useHydrated() ? location.hash : '');
  // Decided when the link is followed: should its row be loaded later, neither place nor focus is pulled away.
  const [followed, setFollowed] = useState<{ location: Location; apart: boolean }>();
  const apart = followed?.location === location ? followed.apart : listed.every(({ _id }) => _id !== id);
  if (followed?.location !== location) setFollowed({ location, apart });

  const known = id !== undefined && /^[\da-f]{24}$/.test(id);
  const kept = held(id);
  const { data, error, isError, isFetching, refetch } = useQuery({
    ...query(id ?? ''),
    enabled: known && apart && !kept,
  });
  const found = apart ? (kept ?? data) : undefined;
  const elsewhere = found && found.serviceId !== serviceId ? found : undefined;
  const review = elsewhere ? undefined : found;

  const gone = isGone(error);
  const wasGone = useSettled(gone, isFetching);
  const load = useFirstLoad({ data, isError: isError && !gone, isFetching, refetch }, said);
  const failed = known && !found && load.hasFailed;

  return {
    id,
    /** When it stands apart. */
    review,
    /** When it is about another service. */
    elsewhere,
    missing: id !== undefined && apart && !found && (!known || wasGone),
    failed,
    /** What is said of another try. */
    announcement: failed ? load.announcement : '',
    retry: load.retry,
    retrying: isFetching,
    landed: useLanding(location, id !== undefined && (review !== undefined || !apart) ? id : undefined),
  };
}

const isGone = (error: Error | null) => error instanceof ApiError && error.status === 404;

/** Goes to the row when it is there. Whether it has. */
function useLanding(location: Location, id: string | undefined): boolean {
  const type = useNavigationType();
  // An address that was typed has an entry of its own in the history, without a key.
  const isFollowed = type !== NavigationType.Pop || location.key === 'default';
  const [landed, setLanded] = useState<Location>();
  useEffect(() => {
    if (id === undefined || !isFollowed || landed === location) return;
    // After the layout, which gives the focus to the heading of a page that is new.
    const frame = requestAnimationFrame(() => {
      const row = document.getElementById(anchorOf(id));
      row?.focus({ preventScroll: true });
      row?.scrollIntoView();
      setLanded(location);
    });
    return () => cancelAnimationFrame(frame);
  }, [id, isFollowed, landed, location]);
  return landed === location;
}
