import type { Review } from '@rtr/shared';
import { ageOf } from '../../lib/age.ts';
import { useNow } from '../../lib/now.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { FoldedText } from '../../ui/folded-text.tsx';
import { ShareButton } from '../../ui/share-button.tsx';
import { Stars } from '../../ui/stars.tsx';
import { Ticket, TicketCell, TicketTable } from '../../ui/ticket-table.tsx';
import { addressOf, anchorOf } from './address.ts';
import { ByLister } from './by-lister.tsx';
import { DeleteButton, DeletedTicket, type Fates, NotDone } from './deletion.tsx';
import { EditLink } from './edit-link.tsx';

const text = {
  caption: 'Reviews',
  columns: ['Reviewer', 'Date', 'Time', 'Review'],
  nameless: 'Customer',
  yours: 'Yours',
  linked: 'Linked review',
  edited: 'edited',
  stars: (stars: number) => `${stars} of 5 stars`,
  wordless: 'No words, only stars.',
  empty: 'No words.',
  yourReview: (service: string) => `your review of ${service}`,
  theirReview: (name: string, date: string) => `the review by ${name}, ${date}`,
  share: (review: string) => `Share ${review}`,
  title: (service: string, name: string) => `${service}, reviewed by ${name}`,
};

interface ReviewTableProps {
  /** What the service is called. */
  service: string;
  reviews: Review[];
  /** Stands first and apart: it is not one of `reviews`. */
  linked?: Review | undefined;
  /** Whether the reader wrote it. */
  isOwn: (review: Review) => boolean;
  fates: Fates;
}

export function ReviewTable({ service, reviews, linked, isOwn, fates }: ReviewTableProps) {
  const row = (review: Review, apart = false) =>
    fates.fateOf(review) === 'deleted' ? (
      <DeletedTicket key={review._id} review={review} service={service} fates={fates} columns={text.columns.length} />
    ) : (
      <Row key={review._id} review={review} service={service} own={isOwn(review)} apart={apart} fates={fates} />
    );
  return (
    <TicketTable label={text.caption} columns={text.columns}>
      {linked && row(linked, true)}
      {reviews.map((review) => row(review))}
    </TicketTable>
  );
}

interface RowProps {
  review: Review;
  service: string;
  own: boolean;
  apart: boolean;
  fates: Fates;
}

function Row({ review, service, own, apart, fates }: RowProps) {
  const now = useNow();
  const fact = 'text-small whitespace-nowrap text-muted tabular-nums';
  // Not along the torn edge.
  const ring =
    'max-sm:focus:shadow-[inset_3px_3px_var(--color-focus),inset_-3px_3px_var(--color-focus)] sm:-outline-offset-3 sm:outline-focus sm:focus:outline-3';
  const chip = 'rounded-drawn px-2 text-small font-semibold';
  const name = review.customer || text.nameless;
  const date = review.date || new Date(review.createdAt).toLocaleDateString('en', { timeZone: 'UTC' });
  const what = own ? text.yourReview(service) : text.theirReview(name, date);
  return (
    <Ticket
      id={anchorOf(review._id)}
      tabIndex={-1}
      own={own}
      className={`relative scroll-mt-6 items-baseline gap-x-1 pl-19 sm:static ${ring} ${apart ? 'max-sm:mb-4 sm:border-b-4! sm:border-solid! sm:border-ink!' : ''}`}
    >
      <TicketCell className="basis-full sm:w-48 lg:w-52">
        <div className="flex items-start gap-3">
          <span className="shrink-0 max-sm:absolute max-sm:top-4 max-sm:left-4">
            <Avatar src={review.costomerImg} name={review.customer} />
          </span>
          <div className="flex min-w-0 flex-wrap gap-x-3 gap-y-1">
            <bdi className="font-semibold wrap-anywhere">{name}</bdi>
            {own && <span className={`${chip} bg-primary text-on-primary`}>{text.yours}</span>}
            <ByLister review={review} />
            {apart && <span className={`${chip} bg-ink text-page`}>{text.linked}</span>}
          </div>
        </div>
      </TicketCell>
      <TicketCell className={`${fact} sm:w-34`}>
        <bdi>
          <time dateTime={review.createdAt}>{date}</time>
        </bdi>
        <span className="max-sm:before:content-['_·_'] max-sm:after:content-['_·'] sm:block">
          {ageOf(review.createdAt, now)}
        </span>
      </TicketCell>
      <TicketCell className={`${fact} sm:w-28`}>
        <bdi>{review.time}</bdi>
        {review.updatedAt !== review.createdAt && (
          <span className="max-sm:before:content-['_·_'] sm:block">{text.edited}</span>
        )}
      </TicketCell>
      <TicketCell className="max-sm:tear-line max-sm:mt-3 max-sm:-ml-15 max-sm:basis-[calc(100%+3.75rem)] max-sm:pt-3">
        <ShareButton
          label={text.share(what)}
          title={text.title(service, name)}
          path={addressOf(review)}
          compact
          className="float-right -mt-3 -mr-3 -mb-3"
        />
        {review.rating !== undefined && (
          <p className="pb-2">
            <Stars value={review.rating} />
            <span className="sr-only">{text.stars(review.rating)}</span>
          </p>
        )}
        {review.review.trim() ? (
          <FoldedText words={review.review} what={what} />
        ) : (
          <p className="text-muted">{review.rating === undefined ? text.empty : text.wordless}</p>
        )}
        {own && (
          <div className="grid gap-2 pt-4">
            <div className="flex flex-wrap gap-3">
              <EditLink id={review._id} service={service} />
              <DeleteButton review={review} service={service} fates={fates} />
            </div>
            <NotDone review={review} fates={fates} />
          </div>
        )}
      </TicketCell>
    </Ticket>
  );
}
