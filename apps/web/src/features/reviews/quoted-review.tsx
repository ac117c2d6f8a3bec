import type { Review } from '@rtr/shared';
import { Avatar } from '../../ui/avatar.tsx';
import { Card } from '../../ui/card.tsx';
import { dateOf } from './date.ts';
import { ReviewBody } from './review-body.tsx';
import { reviewText } from './texts.ts';

/** The review to which the lister replies. It is shown on the page of the reply, without the reply. */
export function QuotedReview({ review }: { review: Review }) {
  const { reply: _, ...reviewAlone } = review;
  const name = review.customer || reviewText.noName;
  return (
    <Card className="grid gap-3 p-4">
      <div className="flex items-start gap-3">
        <Avatar src={review.costomerImg} name={review.customer} />
        <p className="grid min-w-0 wrap-anywhere">
          <bdi className="font-semibold">{name}</bdi>
          <time dateTime={review.createdAt} className="text-small text-muted tabular-nums">
            <bdi>{dateOf(review)}</bdi>
          </time>
        </p>
      </div>
      <ReviewBody review={reviewAlone} name={reviewText.theirs(name, dateOf(review))} />
    </Card>
  );
}
