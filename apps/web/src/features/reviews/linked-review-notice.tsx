import { addressOfReview } from '@rtr/shared';
import { Link } from 'react-router-dom';
import { LiveRegion } from '../../ui/live-region.tsx';
import { RetryAlert } from '../../ui/retry-alert.tsx';
import type { useLinkedReview } from './linked-review.ts';
import { reviewText } from './texts.ts';

const text = {
  reached: 'Showing the review from your link.',
  reachedOwn: 'Showing your review.',
  missing: `The review from your link was not found. ${reviewText.maybeDeleted}`,
  elsewhere: 'The review from your link is about another service.',
  readElsewhere: 'Go to this review',
};

interface LinkedReviewNoticeProps {
  linked: ReturnType<typeof useLinkedReview>;
  /** Whether the reader of the linked review is its author. Undefined until the page has scrolled to the review. */
  reachedBy: 'author' | 'other' | undefined;
}

export function LinkedReviewNotice({ linked, reachedBy }: LinkedReviewNoticeProps) {
  return (
    <>
      <LiveRegion variant="hidden">{reachedBy && (reachedBy === 'author' ? text.reachedOwn : text.reached)}</LiveRegion>
      <LiveRegion variant="collapsible">
        {linked.isMissing && <p>{text.missing}</p>}
        {linked.elsewhere && (
          <p className="flex flex-wrap gap-x-4">
            {text.elsewhere}
            <Link to={addressOfReview(linked.elsewhere)} className="link">
              {text.readElsewhere}
            </Link>
          </p>
        )}
      </LiveRegion>
      <LiveRegion variant="hidden">{linked.announcement}</LiveRegion>
      {linked.error && (
        <RetryAlert pending={linked.isFetching} onRetry={linked.retry}>
          {linked.error}
        </RetryAlert>
      )}
    </>
  );
}
