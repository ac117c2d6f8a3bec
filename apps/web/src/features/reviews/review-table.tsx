import { addressOfReview, anchorOfReview, type Review } from '@rtr/shared';
import type { ReactNode } from 'react';
import { ageOf } from '../../lib/age.ts';
import { useNow } from '../../lib/now.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { Chip } from '../../ui/chip.tsx';
import { DeleteButton, DeletedRow, DeletionError, type Deletions } from '../../ui/deletion.tsx';
import { ShareButton } from '../../ui/share-button.tsx';
import { Cell, Row, Table } from '../../ui/table.tsx';
import { dateOf } from './date.ts';
import { useReplyDeletions, withShownReply } from './deletion.tsx';
import { EditLink } from './edit-link.tsx';
import { ReplyTools } from './reply-tools.tsx';
import { type Reader, ReviewActions, UsefulCount } from './review-actions.tsx';
import { ReviewBody } from './review-body.tsx';
import { reviewText } from './texts.ts';

const text = {
  caption: 'Reviews',
  columns: ['Reviewer', 'Date', 'Time', 'Review'],
  yours: 'Yours',
  linked: 'From your link',
  share: (review: string) => `Share ${review}`,
  title: (service: string, name: string) => `Review of ${service} by ${name}`,
};

interface ReviewTableProps {
  /** The title of the service. */
  service: string;
  reviews: Review[];
  /** The linked review, if it is not one of `reviews`. It is shown above them. */
  linked?: Review | undefined;
  isOwn: (review: Review) => boolean;
  reader: Reader;
  /** Whether the customer is the lister of the service. Only the lister can reply to reviews. */
  isLister: boolean;
  deletions: Deletions<Review>;
  /** Renders the button that reports a review. `name` is the name of the review for screen readers. */
  report: (review: Review, name: string, isOwn: boolean) => ReactNode;
}

export function ReviewTable({
  service,
  reviews,
  linked,
  isOwn,
  reader,
  isLister,
  deletions,
  report,
}: ReviewTableProps) {
  const replyDeletions = useReplyDeletions();
  const row = (review: Review, isSeparate = false) =>
    deletions.stateOf(review) === 'deleted' ? (
      <DeletedRow key={review._id} item={review} name={service} deletions={deletions} columns={text.columns.length} />
    ) : (
      <ReviewRow
        key={review._id}
        review={review}
        service={service}
        isOwn={isOwn(review)}
        reader={reader}
        isLister={isLister}
        replyDeletions={replyDeletions}
        isSeparate={isSeparate}
        deletions={deletions}
        report={report}
      />
    );
  return (
    <Table label={text.caption} columns={text.columns}>
      {linked && row(linked, true)}
      {reviews.map((review) => row(review))}
    </Table>
  );
}

interface ReviewRowProps extends Pick<ReviewTableProps, 'service' | 'reader' | 'isLister' | 'deletions' | 'report'> {
  review: Review;
  isOwn: boolean;
  isSeparate: boolean;
  replyDeletions: Deletions<Review>;
}

function ReviewRow({
  review: saved,
  service,
  isOwn,
  reader,
  isLister,
  isSeparate,
  deletions,
  replyDeletions,
  report,
}: ReviewRowProps) {
  const review = withShownReply(saved, replyDeletions);
  const now = useNow();
  const fact = 'min-w-0 text-small wrap-anywhere text-muted tabular-nums';
  // On a phone, the lower edge of the row looks like torn paper. The mask that draws this edge would cut off an
  // outline. So an inner shadow draws the focus indicator at the other three edges.
  const ring =
    'as-cards:focus:shadow-[inset_3px_3px_var(--color-focus),inset_-3px_3px_var(--color-focus)] as-table:-outline-offset-3 as-table:outline-focus as-table:focus:outline-3';
  const name = review.customer || reviewText.noName;
  const date = dateOf(review);
  const reviewName = isOwn ? reviewText.yours(service) : reviewText.theirs(name, date);
  return (
    <Row
      id={anchorOfReview(review._id)}
      tabIndex={-1}
      isHighlighted={isOwn}
      isSeparate={isSeparate}
      className={`relative scroll-mt-6 items-baseline gap-x-1 pl-19 as-table:static ${ring}`}
    >
      <Cell className="basis-full as-table:w-48">
        <div className="flex items-start gap-3">
          <span className="shrink-0 as-cards:absolute as-cards:top-4 as-cards:left-4">
            <Avatar src={review.costomerImg} name={review.customer} />
          </span>
          <div className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
            <bdi className="font-semibold wrap-anywhere">{name}</bdi>
            {isOwn && <Chip tone="primary">{text.yours}</Chip>}
            {review.byLister && <Chip>{reviewText.byLister}</Chip>}
            {isSeparate && <Chip tone="ink">{text.linked}</Chip>}
          </div>
        </div>
      </Cell>
      <Cell className={`${fact} as-table:w-34`}>
        <time dateTime={review.createdAt}>
          <bdi>{date}</bdi>
        </time>
        <span className="as-cards:before:content-['_·_'] as-cards:after:content-['_·'] as-table:block">
          {ageOf(review.createdAt, now)}
        </span>
      </Cell>
      <Cell className={`${fact} as-table:w-32`}>
        <bdi>{review.time}</bdi>
        {review.updatedAt !== review.createdAt && (
          <span className="as-cards:before:content-['_·_'] as-table:block">{reviewText.edited}</span>
        )}
      </Cell>
      <Cell className="as-cards:tear-line as-cards:mt-3 as-cards:-ml-15 as-cards:basis-[calc(100%+3.75rem)] as-cards:pt-3">
        <ShareButton
          label={text.share(reviewName)}
          title={text.title(service, name)}
          path={addressOfReview(review)}
          compact
          className="float-right -mt-3 -mr-3 -mb-3"
        />
        <ReviewBody review={review} name={reviewName} />
        {isLister && !isOwn && !review.byLister && (
          <div className="pt-4">
            <ReplyTools review={review} name={reviewName} deletions={replyDeletions} />
          </div>
        )}
        {isOwn ? (
          <div className="grid gap-2 pt-4">
            <UsefulCount review={review} />
            <div className="flex flex-wrap gap-3">
              <EditLink id={review._id} service={service} />
              <DeleteButton item={review} name={service} deletions={deletions} />
              {report(review, reviewName, isOwn)}
            </div>
            <DeletionError item={review} deletions={deletions} />
          </div>
        ) : (
          <ReviewActions review={review} name={reviewName} reader={reader}>
            {report(review, reviewName, isOwn)}
          </ReviewActions>
        )}
      </Cell>
    </Row>
  );
}
