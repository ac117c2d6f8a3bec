import { anchorOfReview, type Review } from '@rtr/shared';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { type Location, NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { isNotFound } from '../../lib/api-error.ts';
import { useHttp } from '../../lib/http-context.ts';
import { useFirstLoad } from '../../lib/use-first-load.ts';
import { usePreviousWhilePending } from '../../lib/use-previous-while-pending.ts';
import { publicReviewQuery } from './queries.ts';
import { reviewText } from './texts.ts';

const text = { loading: reviewText.loading, failed: 'The review from your link did not load.' };

/** Reads the id of a review from the hash of an address. Anyone can type an address, so the id may be invalid. */
const reviewIn = (hash: string) => /^#review-(.*)$/.exec(hash)?.[1];

const noSubscription = () => () => {};

interface LinkedReviewOptions {
  serviceId: string;
  listed: Review[];
  /** Returns the review with this id if it was deleted or restored on this screen. */
  findDeleted: (id: string | undefined) => Review | undefined;
}

/**
 * Finds the review that the hash of the URL (`#review-<id>`) links to. If the list has not loaded this review yet, the
 * review is fetched and shown separately. If the customer has followed a link, the page scrolls to the review and focuses
 * it. After the Back or Forward button, the page restores its scroll position instead.
 */
export function useLinkedReview({ serviceId, listed, findDeleted }: LinkedReviewOptions) {
  const location = useLocation();
  // The browser does not send the hash to the server, so the server renders the page without the linked review. Without a
  // hash, the reviews are rendered only once.
  const hash = useSyncExternalStore(
    noSubscription,
    () => location.hash,
    () => '',
  );
  const id = reviewIn(hash);
  // `isSeparate` is true if the list does not contain the linked review when the customer follows the link. The review
  // is then shown above the list. It stays there if the list loads the review later, so that it keeps the focus.
  const [followed, setFollowed] = useState<{ location: Location; isSeparate: boolean }>();
  const isSeparate = followed?.location === location ? followed.isSeparate : listed.every(({ _id }) => _id !== id);
  if (id !== undefined && followed?.location !== location) setFollowed({ location, isSeparate });

  const isValid = id !== undefined && /^[\da-f]{24}$/.test(id);
  const deleted = findDeleted(id);
  const { data, error, isError, isFetching, refetch } = useQuery({
    ...publicReviewQuery(useHttp(), id ?? ''),
    enabled: isValid && isSeparate && !deleted,
  });
  const found = isSeparate ? (deleted ?? data) : undefined;
  const elsewhere = found && found.serviceId !== serviceId ? found : undefined;
  const review = elsewhere ? undefined : found;

  const isGone = isNotFound(error);
  const wasGone = usePreviousWhilePending(isGone, isFetching);
  const load = useFirstLoad({ data, isError: isError && !isGone, isFetching, refetch }, text);
  const failed = isValid && !found && load.hasFailed;

  return {
    id,
    /** The linked review, if it is shown separately from the list. */
    review,
    /** The linked review, if it belongs to another service. */
    elsewhere,
    isMissing: id !== undefined && isSeparate && !found && (!isValid || wasGone),
    error: failed ? text.failed : undefined,
    announcement: failed ? load.announcement : '',
    retry: load.retry,
    isFetching,
    isReached: useScrollToRow(location, id !== undefined && (review !== undefined || !isSeparate) ? id : undefined),
  };
}

/** Scrolls to the row of the linked review as soon as the row is rendered. Returns true after the page has scrolled. */
function useScrollToRow(location: Location, id: string | undefined): boolean {
  const type = useNavigationType();
  // Scroll also if the customer has typed the address. The history entry of a typed address has the key 'default'.
  const isFollowed = type !== NavigationType.Pop || location.key === 'default';
  const [reached, setReached] = useState<Location>();
  useEffect(() => {
    if (id === undefined || !isFollowed || reached === location) return;
    // On a new page, the layout first focuses the heading. So this effect focuses the row only in the next frame.
    const frame = requestAnimationFrame(() => {
      const row = document.getElementById(anchorOfReview(id));
      row?.focus({ preventScroll: true });
      row?.scrollIntoView();
      setReached(location);
    });
    return () => cancelAnimationFrame(frame);
  }, [id, isFollowed, reached, location]);
  return reached === location;
}
