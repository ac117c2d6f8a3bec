import type { Review } from '@rtr/shared';
import type { ReactNode } from 'react';
import { ageOf } from '../../lib/age.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Stars } from '../../ui/stars.tsx';
import { Ticket, TicketCell, TicketTable } from '../../ui/ticket-table.tsx';

const text = {
  caption: 'Reviews',
  columns: ['Reviewer', 'Date', 'Time', 'Review'],
  nameless: 'Customer',
  yours: 'Yours',
  edited: 'edited',
  stars: (stars: number) => `${stars} of 5 stars`,
  wordless: 'No words, only stars.',
  empty: 'No words.',
};

interface ReviewTableProps {
  reviews: Review[];
  /** Whether the reader wrote it. */
  isOwn: (review: Review) => boolean;
  /** What its author can do with it. */
  actions?: (review: Review) => ReactNode;
}

export function ReviewTable({ reviews, isOwn, actions }: ReviewTableProps) {
  const fact = 'text-small whitespace-nowrap text-muted tabular-nums';
  return (
    <TicketTable label={text.caption} columns={text.columns}>
      {reviews.map((review) => {
        const own = isOwn(review);
        return (
          <Ticket
            key={review._id}
            id={`review-${review._id}`}
            own={own}
            className="relative items-baseline gap-x-2 pl-19 sm:static"
          >
            <TicketCell className="basis-full sm:w-56">
              <div className="flex items-start gap-3">
                <span className="max-sm:absolute max-sm:top-4 max-sm:left-4">
                  <Avatar src={review.costomerImg} name={review.customer} />
                </span>
                <div className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
                  <span className="font-semibold wrap-anywhere">{review.customer || text.nameless}</span>
                  {own && (
                    <span className="rounded-drawn bg-primary px-2 text-small font-semibold text-on-primary">
                      {text.yours}
                    </span>
                  )}
                </div>
              </div>
            </TicketCell>
            <TicketCell className={`${fact} sm:w-36`}>
              <time dateTime={review.createdAt}>{review.date || new Date(review.createdAt).toLocaleDateString()}</time>
              <span className="max-sm:before:content-['_·_'] sm:block">{ageOf(review.createdAt)}</span>
            </TicketCell>
            <TicketCell className={`${fact} sm:w-28`}>
              {review.time}
              {review.updatedAt !== review.createdAt && (
                <span className="max-sm:before:content-['_·_'] sm:block">{text.edited}</span>
              )}
            </TicketCell>
            <TicketCell className="max-sm:tear-line max-sm:mt-3 max-sm:-ml-15 max-sm:basis-[calc(100%+3.75rem)] max-sm:pt-3">
              <div className="grid gap-2">
                {review.rating !== undefined && (
                  <p className="flex items-center gap-2">
                    <Stars value={review.rating} />
                    <span className="sr-only">{text.stars(review.rating)}</span>
                  </p>
                )}
                {review.review.trim() ? (
                  <p className="measure whitespace-pre-wrap wrap-anywhere">{review.review}</p>
                ) : (
                  <p className="text-muted">{review.rating === undefined ? text.empty : text.wordless}</p>
                )}
                {own && actions?.(review)}
              </div>
            </TicketCell>
          </Ticket>
        );
      })}
    </TicketTable>
  );
}
