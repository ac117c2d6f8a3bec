import type { Review } from '@rtr/shared';
import type { ReactNode } from 'react';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { dateOf } from './date.ts';
import { ReviewBody } from './review-body.tsx';
import { reviewText } from './texts.ts';

/** A review on another page than that of its service. `heading` is shown above it. */
export function QuotedReview({ review, heading }: { review: Review; heading?: ReactNode }) {
  const name = review.customer || reviewText.noName;
  return (
    <Card className="grid gap-3 p-4">
      {heading}
      <div className="flex items-start gap-3">
        <Avatar src={review.costomerImg} name={review.customer} />
        <p className="grid min-w-0 wrap-anywhere">
          <bdi className="font-semibold">{name}</bdi>
          <time dateTime={review.createdAt} className="text-small text-muted tabular-nums">
            <bdi>{dateOf(review)}</bdi>
          </time>
        </p>
      </div>
      <ReviewBody review={review} name={reviewText.theirs(name, dateOf(review))} />
    </Card>
  );
}
