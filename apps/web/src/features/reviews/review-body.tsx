import type { Review } from '@rtr/shared';
import { CollapsibleText } from '../../ui/collapsible-text.tsx';
import { Stars } from '../../ui/stars.tsx';
import { ReviewPhotos } from './review-photos.tsx';
import { ReviewReply } from './review-reply.tsx';

const text = {
  stars: (stars: number) => `${stars} out of 5 stars`,
  noText: 'This review has no text.',
  onlyStars: 'Stars only, no text.',
};

interface ReviewBodyProps {
  review: Pick<Review, 'rating' | 'review' | 'photos' | 'reply'>;
  /** The name of the review for screen readers, such as 'your review of Hood repair'. */
  name: string;
}

export function ReviewBody({ review: { rating, review, photos, reply }, name }: ReviewBodyProps) {
  return (
    <div>
      {rating !== undefined && (
        <p className="pb-2">
          <Stars value={rating} />
          <span className="sr-only">{text.stars(rating)}</span>
        </p>
      )}
      {review.trim() ? (
        <CollapsibleText content={review} name={name} />
      ) : (
        <p className="text-muted">{rating === undefined ? text.noText : text.onlyStars}</p>
      )}
      {photos && <ReviewPhotos photos={photos} name={name} />}
      {reply && <ReviewReply reply={reply} review={name} />}
    </div>
  );
}
