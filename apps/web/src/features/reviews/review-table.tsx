import type { Review } from '@rtr/shared';
import type { ReactNode } from 'react';
import { ageOf } from '../../lib/age.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Stars } from '../../ui/stars.tsx';

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

// Under 640 px the rows become order tickets. Their display takes the table's meaning away in some browsers, so its
// roles are said outright.
/* oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/control-has-associated-label */
export function ReviewTable({ reviews, isOwn, actions }: ReviewTableProps) {
  const cell = 'block sm:table-cell sm:p-4 sm:align-top';
  const fact = 'text-small whitespace-nowrap text-muted tabular-nums';
  return (
    <table role="table" aria-label={text.caption} className="block w-full border-collapse sm:table">
      <thead role="rowgroup" className="sr-only sm:not-sr-only sm:table-header-group">
        <tr role="row" className="text-left text-small text-muted sm:border-b-2 sm:border-ink">
          {text.columns.map((column) => (
            <th key={column} role="columnheader" scope="col" className="p-4 font-normal">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup" className="grid gap-4 sm:table-row-group">
        {reviews.map((review) => {
          const own = isOwn(review);
          return (
            <tr
              key={review._id}
              id={`review-${review._id}`}
              role="row"
              className={`max-sm:torn relative flex flex-wrap items-baseline gap-x-2 pt-4 pr-4 pl-19 sm:static sm:table-row sm:border-b-2 sm:border-dashed sm:border-line ${own ? 'bg-tint' : 'bg-surface sm:bg-transparent'}`}
            >
              <td role="cell" className={`${cell} basis-full sm:w-56`}>
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
              </td>
              <td role="cell" className={`${cell} ${fact} sm:w-36`}>
                <time dateTime={review.createdAt}>
                  {review.date || new Date(review.createdAt).toLocaleDateString()}
                </time>
                <span className="max-sm:before:content-['_·_'] sm:block">{ageOf(review.createdAt)}</span>
              </td>
              <td role="cell" className={`${cell} ${fact} sm:w-28`}>
                {review.time}
                {review.updatedAt !== review.createdAt && (
                  <span className="max-sm:before:content-['_·_'] sm:block">{text.edited}</span>
                )}
              </td>
              <td
                role="cell"
                className={`${cell} max-sm:tear-line max-sm:mt-3 max-sm:-ml-15 max-sm:basis-[calc(100%+3.75rem)] max-sm:pt-3`}
              >
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
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
