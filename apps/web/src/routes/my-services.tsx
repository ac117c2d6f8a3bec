import { limits, type OwnService, titleOf } from '@rtr/shared';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router-dom';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import { HiddenNote } from '../features/moderation/hidden-note.tsx';
import { requestsQuery } from '../features/requests/queries.ts';
import { hiddenRepliesQuery } from '../features/reviews/queries.ts';
import { ownServicesQuery, withdrawnServicesQuery } from '../features/services/queries.ts';
import { Rating } from '../features/services/rating.tsx';
import { priceOf, serviceText } from '../features/services/texts.ts';
import { useWithdrawals } from '../features/services/withdrawal.tsx';
import { appIn } from '../lib/app.ts';
import { useRefetchOnNews } from '../lib/new-count.ts';
import { ButtonLink, compactLabel } from '../ui/button.tsx';
import { DeletableTable } from '../ui/deletable-table.tsx';
import { byNewest, DeleteButton, DeletedNote, DeletionError, type Deletions, withoutListed } from '../ui/deletion.tsx';
import { Icon } from '../ui/icon.tsx';
import { Page } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState, ProgressBars } from '../ui/page-state.tsx';
import { Picture } from '../ui/picture.tsx';
import { Section } from '../ui/section.tsx';
import { Cell, Row } from '../ui/table.tsx';
import { Desk, UnansweredLink } from './my-services-desk.tsx';

export { withdrawOrRestoreService as action } from '../features/services/withdrawal.tsx';

const text = {
  columns: ['Withdraw', 'Service', 'Reviews', 'Edit'],
  total: (total: number) => `${total} ${total === 1 ? 'service' : 'services'}`,
  reviews: (count: number) => `${count} ${count === 1 ? 'review' : 'reviews'}`,
  failed: 'Your services did not load',
  edit: 'Edit',
  editOf: (service: string) => `Edit ${service}`,
  withdrawn: 'Withdrawn',
  withdrawnHint: `Nobody else can see these services. We erase a service ${limits.withdrawnDays} days after you withdraw it.`,
  hiddenReplies: 'Hidden replies',
  replyOf: (service: string) => `Reply to a review of ${service}`,
  thisReply: 'this reply',
  hidden: 'this service',
  empty: {
    title: 'You have not listed anything yet',
    body: 'Add a service that you offer. You can edit or withdraw it here at any time.',
    action: 'Add Service',
  },
};

export async function loader({ context }: LoaderFunctionArgs) {
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!(await sessionIn(context).waitForUser())) return null;
  const { http, queries } = appIn(context);
  const query = ownServicesQuery(http);
  const withdrawn = withdrawnServicesQuery(http);
  const hiddenReplies = hiddenRepliesQuery(http);
  // The page does not wait for these queries, because few listers have any hidden replies or withdrawn services. They are
  // requested before the services, because the customer may sign out while the services load. A later request would then
  // have no token.
  void queries.prefetchQuery(withdrawn);
  void queries.prefetchQuery(hiddenReplies);
  const requests = requestsQuery(http);
  void queries.prefetchInfiniteQuery(requests);
  // A failed prefetch throws no error. The page then shows the error of the query.
  await queries.prefetchInfiniteQuery(query);
  return { query, withdrawn, hiddenReplies, requests };
}

export function Component() {
  const data = useLoaderData<typeof loader>();
  // After a sign-out, the queries are off, because they would be fetched again without a token.
  const { user } = useSession();
  return (
    <Page>
      <PageHead name={serviceText.yours} />
      <h1 className="text-heading">{serviceText.yours}</h1>
      {data ? <Services {...data} isSignedIn={user !== null} /> : <ProgressBars />}
      {data && user && <HiddenReplies query={data.hiddenReplies} uid={user.uid} />}
    </Page>
  );
}

/** Tells the lister which replies a moderator has hidden, and why. Renders nothing if there are none. */
function HiddenReplies({ query, uid }: { query: ReturnType<typeof hiddenRepliesQuery>; uid: string }) {
  const replies = useQuery(query).data ?? [];
  if (replies.length === 0) return null;
  return (
    <Section title={text.hiddenReplies}>
      <ul className="grid gap-4">
        {replies.map(({ reviewId, serviceName, hidden }) => (
          <li key={reviewId} className="grid gap-2">
            <Link to={`/reply/${reviewId}`} className="link justify-self-start wrap-anywhere">
              {text.replyOf(titleOf({ title: serviceName }))}
            </Link>
            <HiddenNote
              target={{ kind: 'review', id: reviewId, about: 'reply' }}
              name={text.thisReply}
              decision={hidden}
              uid={uid}
            />
          </li>
        ))}
      </ul>
    </Section>
  );
}

interface ServicesProps {
  query: ReturnType<typeof ownServicesQuery>;
  withdrawn: ReturnType<typeof withdrawnServicesQuery>;
  requests: ReturnType<typeof requestsQuery>;
  isSignedIn: boolean;
}

function Services({ query, withdrawn, requests, isSignedIn }: ServicesProps) {
  const list = useInfiniteQuery(query);
  useRefetchOnNews(() => void list.refetch({ cancelRefetch: false }));
  const restorable = useQuery({ ...withdrawn, enabled: isSignedIn }).data;
  const withdrawals = useWithdrawals(withoutListed(restorable, list.data));
  const isWithdrawn = (service: OwnService) => withdrawals.stateOf(service) === 'deleted';
  const withdrawnServices = withdrawals.rowsOf([], byNewest, isWithdrawn);
  const services = list.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <>
      {isSignedIn && <Desk services={services.filter((service) => !isWithdrawn(service))} query={requests} />}
      <DeletableTable
        list={list}
        deletions={withdrawals}
        label={serviceText.yours}
        columns={text.columns}
        text={{ ...serviceText, ...text }}
        filter={(service) => !isWithdrawn(service)}
        renderRow={(service) => <OwnServiceRow key={service._id} service={service} withdrawals={withdrawals} />}
        empty={
          withdrawnServices.length === 0 && (
            <PageState
              picture="/pictures/placeholder.svg"
              title={text.empty.title}
              action={<ButtonLink to="/addservices">{text.empty.action}</ButtonLink>}
            >
              <p>{text.empty.body}</p>
            </PageState>
          )
        }
      />
      {withdrawnServices.length > 0 && (
        <Section title={text.withdrawn}>
          <p className="measure text-muted">{text.withdrawnHint}</p>
          <ul className="grid gap-4">
            {withdrawnServices.map((service) => (
              <li key={service._id}>
                <DeletedNote item={service} name={titleOf(service)} deletions={withdrawals} />
              </li>
            ))}
          </ul>
        </Section>
      )}
    </>
  );
}

interface OwnServiceRowProps {
  service: OwnService;
  withdrawals: Deletions<OwnService>;
}

function OwnServiceRow({ service, withdrawals }: OwnServiceRowProps) {
  const { user } = useSession();
  const title = titleOf(service);
  const own = { item: service, name: title, deletions: withdrawals };
  return (
    <Row className="items-start gap-x-4 gap-y-3 pl-[min(--spacing(4),5vw)]">
      <Cell className="as-cards:order-3 as-table:w-20">
        <DeleteButton {...own} compact />
      </Cell>
      <Cell className="as-cards:order-1 as-cards:w-full">
        <div className="grid gap-3">
          <div className="flex gap-3">
            <Picture src={service.img} alt="" size="thumbnail" />
            <div className="grid min-w-0 content-start gap-1">
              {/* A hidden service has no public page. */}
              {service.hidden ? (
                <span className="wrap-anywhere">{title}</span>
              ) : (
                <Link to={`/services/${service._id}`} className="link wrap-anywhere">
                  {title}
                </Link>
              )}
              <span className="text-small wrap-anywhere text-muted">{priceOf(service)}</span>
              <DeletionError item={service} deletions={withdrawals} />
            </div>
          </div>
          <HiddenNote
            target={{ kind: 'service', id: service._id, about: 'service' }}
            name={text.hidden}
            decision={service.hidden}
            uid={user?.uid}
          />
          <HiddenNote
            target={{ kind: 'service', id: service._id, about: 'picture' }}
            name={serviceText.picture}
            decision={service.hidden ? undefined : service.removedPicture}
            advice={serviceText.otherPicture}
            uid={user?.uid}
          />
        </div>
      </Cell>
      <Cell className="as-cards:order-2 as-cards:w-full as-table:w-56">
        <div className="grid gap-1">
          <Rating {...service} />
          <span className="text-small text-muted tabular-nums">{text.reviews(service.reviewCount)}</span>
          {service.unansweredCount > 0 && <UnansweredLink service={service} />}
        </div>
      </Cell>
      <Cell className="as-cards:order-4 as-table:w-20">
        {!service.hidden && (
          <ButtonLink tone="quiet" size="compact" to={`/editservice/${service._id}`} aria-label={text.editOf(title)}>
            <Icon name="pencil" />
            <span className={compactLabel}>{text.edit}</span>
          </ButtonLink>
        )}
      </Cell>
    </Row>
  );
}
