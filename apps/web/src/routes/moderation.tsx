import {
  addressOfReview,
  type CaseStatus,
  type ModerationCase,
  type ReportedMessage,
  type Review,
  type Service,
  titleOf,
} from '@rtr/shared';
import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, type LoaderFunctionArgs, useLoaderData } from 'react-router-dom';
import { LoadingPage } from '../features/auth/protected.tsx';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import { ActionDialog, type ActionDialogContent } from '../features/moderation/action-dialog.tsx';
import { CaseCard } from '../features/moderation/case-card.tsx';
import { casesQuery } from '../features/moderation/queries.ts';
import { reasonedActions, removeReasonDraft } from '../features/moderation/reason-draft.ts';
import { moderationText } from '../features/moderation/texts.ts';
import { act } from '../features/moderation/write.ts';
import { requestText } from '../features/requests/texts.ts';
import { dateOf } from '../features/reviews/date.ts';
import { ReviewBody } from '../features/reviews/review-body.tsx';
import { reviewText } from '../features/reviews/texts.ts';
import { ServiceDescription } from '../features/services/service-description.tsx';
import { priceOf, serviceText } from '../features/services/texts.ts';
import { isNotFound } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { dayOf } from '../lib/date.ts';
import { useHydrated } from '../lib/page-context.ts';
import { StorageProvider } from '../lib/storage-context.ts';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { usePageStorage } from '../lib/use-page-storage.ts';
import { FilterLink } from '../ui/chip.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { LiveRegion } from '../ui/live-region.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState, ProgressBars } from '../ui/page-state.tsx';
import { Picture } from '../ui/picture.tsx';
import { RetryAlert } from '../ui/retry-alert.tsx';
import { NotFound } from './not-found.tsx';

const text = {
  intro: 'Read what customers have reported. Hide content that breaks the terms, or dismiss the reports.',
  status: 'Cases',
  statuses: { open: 'Open', closed: 'Closed' },
  total: (status: CaseStatus, total: number) => `${total} ${status} ${total === 1 ? 'case' : 'cases'}`,
  many: { open: 'Open cases', closed: 'Closed cases' },
  loading: 'Loading cases…',
  failed: 'The cases did not load',
  moreFailed: 'We could not load more cases.',
  empty: {
    open: { title: 'No open cases', body: 'New reports appear here. Nobody is waiting for a decision.' },
    closed: { title: 'No closed cases', body: 'Cases appear here when a moderator has decided them.' },
  },
  reviewOf: (service: string) => `Review of ${service}`,
  service: (service: string) => `Service ${service}`,
  theReview: (customer: string, date: string) => `the review by ${customer}, ${date}`,
  theService: (title: string) => `the service ${title}`,
  theDeletedReview: 'the deleted review',
  theDeletedService: 'the deleted service',
  reviewGone: 'Deleted review',
  serviceGone: 'Deleted service',
  messageAbout: (service: string) => `Message about ${service}`,
  theMessage: (sender: string) => `the message from ${sender}`,
  theDeletedMessage: 'the deleted message',
  messageGone: 'Deleted message',
  photos: (count: number) => `${count} private ${count === 1 ? 'photo' : 'photos'}, which moderators cannot see`,
  noText: 'This message has no text.',
};

export async function loader({ request, context }: LoaderFunctionArgs) {
  if (!(await sessionIn(context).waitForUser())) return null;
  const app = appIn(context);
  const status: CaseStatus = new URL(request.url).searchParams.get('status') === 'closed' ? 'closed' : 'open';
  const query = casesQuery(app.http, status);
  // A failed prefetch throws no error, because the page shows the error.
  await app.queries.prefetchInfiniteQuery(query);
  const onAct = (row: ModerationCase, input: Parameters<typeof act>[2]) => act(app, row, input);
  return { status, query, onAct };
}

/** The page for moderators. Everybody else sees the page for unknown addresses. */
export function Component() {
  const { user, loading } = useSession();
  const hydrated = useHydrated();
  const data = useLoaderData<typeof loader>();
  if (!hydrated || loading) return <LoadingPage />;
  return user && data ? <Moderation key={user.uid} uid={user.uid} {...data} /> : <NotFound />;
}

type LoadedModeration = Exclude<Awaited<ReturnType<typeof loader>>, null>;

function Moderation({ uid, status, query, onAct: send }: LoadedModeration & { uid: string }) {
  const list = useInfiniteQuery(query);
  const { hasFailed, retry, announcement } = useFirstLoad(list, text);
  // The dialog is outside the cards, so that it stays open with the typed reason if a refresh of the list removes its case.
  const [dialog, setDialog] = useState<ActionDialogContent>();
  const { storage, hasUnstoredValues } = usePageStorage();
  const onAct: typeof send = async (row, input) => {
    const result = await send(row, input);
    // The case is decided, so reasons that the moderator typed earlier are not needed any more.
    if (result === 'done') for (const action of reasonedActions) removeReasonDraft(storage, uid, action, row._id);
    return result;
  };
  if (isNotFound(list.error)) return <NotFound />;

  const rows = list.data?.pages.flatMap((page) => page.rows) ?? [];
  // A case that was decided on this page stays in the list until the list is fetched again.
  const decidedCount = rows.filter((row) => row.status !== status).length;
  const total = list.data?.pages.at(-1)?.total;
  return (
    <StorageProvider value={storage}>
      <Page>
        <PageHead name={moderationText.name} />
        <PageHeader title={moderationText.name} intro={text.intro} />
        <nav aria-label={text.status} className="flex flex-wrap gap-3">
          {(['open', 'closed'] as const).map((other) => (
            <FilterLink
              key={other}
              to={{ search: other === 'closed' ? '?status=closed' : '' }}
              isCurrent={other === status}
            >
              {text.statuses[other]}
            </FilterLink>
          ))}
        </nav>
        <LiveRegion className="text-title tabular-nums">
          {typeof total === 'number' && text.total(status, total - decidedCount)}
          {total === null && text.many[status]}
          {total === undefined && <span className="sr-only">{announcement}</span>}
        </LiveRegion>
        {hasFailed && <RetryAlert title={text.failed} pending={list.isFetching} onRetry={retry} />}
        {!hasFailed && !list.data && <ProgressBars label={text.loading} />}
        {list.data && rows.length === 0 && (
          <PageState picture="/pictures/no-review.svg" title={text.empty[status].title}>
            <p>{text.empty[status].body}</p>
          </PageState>
        )}
        <div className="grid gap-6 empty:hidden">
          {rows.map((row) => (
            <CaseCard
              key={row._id}
              row={row}
              title={titleOfCase(row)}
              target={targetOf(row)}
              uid={uid}
              dialogAction={dialog?.row._id === row._id ? dialog.action : undefined}
              onAct={onAct}
              onOpenDialog={setDialog}
            >
              {row.review && <ReviewContent review={row.review} />}
              {row.service && <ServiceContent service={row.service} />}
              {row.message && <MessageContent message={row.message} />}
            </CaseCard>
          ))}
        </div>
        {list.hasNextPage && <LoadMore list={list} failure={text.moreFailed} />}
        <LeaveGuard isDraftSaved={false} isOn={hasUnstoredValues} />
        {dialog && <ActionDialog {...dialog} uid={uid} onAct={onAct} onClose={() => setDialog(undefined)} />}
      </Page>
    </StorageProvider>
  );
}

function titleOfCase({ _id, review, service, message, hidden }: ModerationCase): ReactNode {
  if (review) {
    const title = text.reviewOf(titleOf({ title: review.serviceName }));
    return hidden.review ? title : <CaseLink to={addressOfReview(review)}>{title}</CaseLink>;
  }
  if (service) {
    const title = text.service(titleOf(service));
    return hidden.service ? title : <CaseLink to={`/services/${service._id}`}>{title}</CaseLink>;
  }
  if (message) return text.messageAbout(titleOf({ title: message.serviceTitle }));
  return { review: text.reviewGone, service: text.serviceGone, message: text.messageGone }[kindOf(_id)];
}

function targetOf({ _id, review, service, message }: ModerationCase): string {
  if (review) return text.theReview(review.customer, dateOf(review));
  if (service) return text.theService(titleOf(service));
  if (message) return text.theMessage(senderOf(message));
  return { review: text.theDeletedReview, service: text.theDeletedService, message: text.theDeletedMessage }[
    kindOf(_id)
  ];
}

/** Returns what a case is about. Its id begins with this. */
const kindOf = (caseId: string) => caseId.split('-')[0] as 'review' | 'service' | 'message';

const senderOf = ({ name }: ReportedMessage) => name || requestText.closedAccount;

const CaseLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="link">
    {children}
  </Link>
);

function ReviewContent({ review }: { review: Review }) {
  return (
    <div className="grid gap-3">
      <p className="text-small wrap-anywhere text-muted">
        <bdi>{review.customer}</bdi> · <bdi>{dateOf(review)}</bdi>
      </p>
      <ReviewBody review={review} name={reviewText.thisReview} />
    </div>
  );
}

function MessageContent({ message }: { message: ReportedMessage }) {
  const { createdAt, photoCount } = message;
  return (
    <div className="grid gap-3">
      <p className="text-small wrap-anywhere text-muted">
        <bdi>{senderOf(message)}</bdi> · <time dateTime={createdAt}>{dayOf(createdAt)}</time>
      </p>
      <p className="measure whitespace-pre-wrap wrap-anywhere">
        {message.text.trim() ? message.text : <span className="text-muted">{text.noText}</span>}
      </p>
      {photoCount > 0 && <p className="text-muted">{text.photos(photoCount)}</p>}
    </div>
  );
}

function ServiceContent({ service }: { service: Service }) {
  return (
    <div className="grid gap-3">
      <div className="max-w-80 overflow-hidden rounded-drawn">
        <Picture src={service.img} alt={service.img ? titleOf(service) : serviceText.noPicture} size="card" />
      </div>
      <p className="font-semibold wrap-anywhere">{priceOf(service)}</p>
      <ServiceDescription {...service} />
      <p className="whitespace-pre-line wrap-anywhere">
        {[service.listerName, service.phone, service.website, service.area, service.hours, service.licence]
          .filter(Boolean)
          .join('\n')}
      </p>
    </div>
  );
}
