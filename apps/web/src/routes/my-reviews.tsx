import { type OwnReview, titleOf } from '@rtr/shared';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router-dom';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import { HiddenNote } from '../features/moderation/hidden-note.tsx';
import { dateOf } from '../features/reviews/date.ts';
import { useReviewDeletions } from '../features/reviews/deletion.tsx';
import { EditLink } from '../features/reviews/edit-link.tsx';
import { deletedReviewsQuery, ownReviewsQuery } from '../features/reviews/queries.ts';
import { UsefulCount } from '../features/reviews/review-actions.tsx';
import { ReviewBody } from '../features/reviews/review-body.tsx';
import { reviewText } from '../features/reviews/texts.ts';
import { priceOf, serviceText } from '../features/services/texts.ts';
import { ageOf } from '../lib/age.ts';
import { appIn } from '../lib/app.ts';
import { useNow } from '../lib/now.tsx';
import { ButtonLink } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { DeletableTable } from '../ui/deletable-table.tsx';
import { DeleteButton, DeletedRow, DeletionError, type Deletions, withoutListed } from '../ui/deletion.tsx';
import { Page } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState, ProgressBars } from '../ui/page-state.tsx';
import { Picture } from '../ui/picture.tsx';
import { Cell, Row } from '../ui/table.tsx';
import { protectedPageNames } from './texts.ts';

export { deleteOrRestoreReview as action } from '../features/reviews/deletion.tsx';

const text = {
  name: protectedPageNames.myReviews,
  columns: ['Delete', 'Date', 'Service Information', 'Review', 'Edit'],
  failed: 'Your reviews did not load',
  empty: {
    title: 'You have not reviewed anything yet',
    body: 'Pick a service you have used and say how it went.',
  },
};

export async function loader({ context }: LoaderFunctionArgs) {
  const user = await sessionIn(context).waitForUser();
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!user) return null;
  const { http, queries } = appIn(context);
  const query = ownReviewsQuery(http, user.email);
  const deleted = deletedReviewsQuery(http, user.email);
  void queries.prefetchQuery(deleted);
  // A failed prefetch throws no error. The page then shows the error of the query.
  await queries.prefetchInfiniteQuery(query);
  return { query, deleted };
}

export function Component() {
  const data = useLoaderData<typeof loader>();
  return (
    <Page>
      <PageHead name={text.name} />
      <h1 className="text-heading">{text.name}</h1>
      {data ? <Reviews {...data} /> : <ProgressBars />}
    </Page>
  );
}

interface ReviewsProps {
  query: ReturnType<typeof ownReviewsQuery>;
  deleted: ReturnType<typeof deletedReviewsQuery>;
}

function Reviews({ query, deleted }: ReviewsProps) {
  const list = useInfiniteQuery(query);
  // After a sign-out, the query is off, because it would be fetched again without a token.
  const { user } = useSession();
  const restorable = useQuery({ ...deleted, enabled: user !== null }).data;
  const deletions = useReviewDeletions<OwnReview>(withoutListed(restorable, list.data));
  return (
    <DeletableTable
      list={list}
      deletions={deletions}
      label={text.name}
      columns={text.columns}
      text={{ ...reviewText, failed: text.failed }}
      renderRow={(review) => <OwnReviewRow key={review._id} review={review} deletions={deletions} />}
      empty={
        <PageState
          picture="/pictures/no-review.svg"
          title={text.empty.title}
          action={<ButtonLink to="/services">{serviceText.find}</ButtonLink>}
        >
          <p>{text.empty.body}</p>
        </PageState>
      }
    />
  );
}

function OwnReviewRow({ review, deletions }: { review: OwnReview; deletions: Deletions<OwnReview> }) {
  const { user } = useSession();
  const now = useNow();
  const service = titleOf({ title: review.serviceName });
  const own = { item: review, name: service, deletions };
  if (deletions.stateOf(review) === 'deleted') return <DeletedRow {...own} columns={text.columns.length} />;
  return (
    <Row className="items-start gap-x-4 gap-y-3 pl-[min(--spacing(4),5vw)]">
      <Cell className="as-cards:order-4 as-table:w-20">{!review.hidden && <DeleteButton {...own} compact />}</Cell>
      <Cell className="text-small wrap-anywhere text-muted tabular-nums as-cards:order-2 as-cards:w-full as-table:w-36">
        <time dateTime={review.createdAt} className="as-table:block">
          <bdi>{dateOf(review)}</bdi>
        </time>
        <span className="as-cards:before:content-['_·_'] as-table:block">
          <bdi>{review.time}</bdi>
        </span>
        <span className="as-cards:before:content-['_·_'] as-table:block">{ageOf(review.createdAt, now)}</span>
        {review.updatedAt !== review.createdAt && (
          <span className="as-cards:before:content-['_·_'] as-table:block">{reviewText.edited}</span>
        )}
      </Cell>
      <Cell className="as-cards:order-1 as-cards:w-full as-table:w-72">
        <div className="flex gap-3">
          <Picture src={review.img} alt="" size="thumbnail" />
          <div className="grid min-w-0 content-start gap-1">
            {review.isUnlisted ? (
              <span className="wrap-anywhere">{service}</span>
            ) : (
              <Link to={`/services/${review.serviceId}`} className="link wrap-anywhere">
                {service}
              </Link>
            )}
            <span className="text-small wrap-anywhere text-muted">{priceOf(review)}</span>
            {review.isUnlisted && <Chip tone="ink">{reviewText.unlisted}</Chip>}
            {review.byLister && <Chip>{reviewText.byLister}</Chip>}
          </div>
        </div>
      </Cell>
      <Cell className="as-cards:order-3 as-cards:tear-line as-cards:w-full as-cards:pt-3">
        <div className="grid gap-2">
          <ReviewBody review={review} name={reviewText.yours(service)} />
          <UsefulCount review={review} />
          <HiddenNote
            target={{ kind: 'review', id: review._id, about: 'review' }}
            name={reviewText.thisReview}
            decision={review.hidden}
            uid={user?.uid}
          />
          <HiddenNote
            target={{ kind: 'review', id: review._id, about: 'picture' }}
            name={reviewText.photos}
            decision={review.hidden ? undefined : review.removedPhotos}
            advice={reviewText.otherPhotos}
            uid={user?.uid}
          />
          <DeletionError item={review} deletions={deletions} />
        </div>
      </Cell>
      <Cell className="as-cards:order-5 as-table:w-20">
        {!review.hidden && <EditLink id={review._id} service={service} compact />}
      </Cell>
    </Row>
  );
}
