import { addressOfReview } from '@rtr/shared';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { type ActionFunctionArgs, Link, type LoaderFunctionArgs, useLoaderData } from 'react-router-dom';
import { DeleteAccount } from '../features/accounts/delete-account.tsx';
import { ExportButtons } from '../features/accounts/export-buttons.tsx';
import { type ProfileErrors, ProfileForm, profileForm } from '../features/accounts/profile-form.tsx';
import type { Session } from '../features/auth/session.ts';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import { signInErrorText } from '../features/auth/sign-in-errors.ts';
import { VerifyEmail } from '../features/auth/verify-email.tsx';
import { OwnReports } from '../features/moderation/own-reports.tsx';
import { ownReportsQuery } from '../features/moderation/queries.ts';
import { moderationText } from '../features/moderation/texts.ts';
import { EmailsChoice } from '../features/news/emails-choice.tsx';
import { newsEmailsQuery } from '../features/news/emails-query.ts';
import { requestText } from '../features/requests/texts.ts';
import { ownRepliesQuery, ownReviewsQuery, readOwnContent } from '../features/reviews/queries.ts';
import { reviewText } from '../features/reviews/texts.ts';
import { serviceText } from '../features/services/texts.ts';
import { type App, appIn } from '../lib/app.ts';
import { download } from '../lib/download.ts';
import { failureOf } from '../lib/failure.ts';
import { parseForm } from '../lib/form.ts';
import type { Http } from '../lib/http.ts';
import { onDemand } from '../lib/on-demand.ts';
import { Avatar } from '../ui/avatar.tsx';
import { failureText } from '../ui/failure-alert.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ProgressBars } from '../ui/page-state.tsx';
import { Section } from '../ui/section.tsx';
import { commonText } from '../ui/texts.ts';
import { toast } from '../ui/toasts.tsx';
import { protectedPageNames } from './texts.ts';
import { useAccountDeletion } from './use-account-deletion.ts';

const text = {
  services: { title: 'Your services', body: 'Edit or withdraw the services that you added.' },
  nameless: 'No name yet',
  email: 'Email',
  profile: {
    saved: 'Your name and photo are saved.',
    failed: 'Your name and photo were not saved. Try again in a minute.',
  },
  reviews: {
    title: 'Your reviews',
    none: 'You have not reviewed anything yet.',
    exported: (counts: string) => `${counts} exported.`,
    failed: 'Your reviews were not exported. Try again.',
  },
  moderation: {
    body: 'Customers have reported reviews and services to you and the other moderators.',
    link: 'See the reported content',
  },
  deletion: {
    title: 'Delete account',
    warning: (reviews: string) =>
      `This deletes your account and your ${reviews}, for good. Export them first if you want to keep the words.`,
    replies: (count: number) =>
      count === 1 ? 'Your reply to a review is deleted too.' : `Your ${count} replies to reviews are deleted too.`,
    warningWithout: 'This deletes your account, for good.',
    reviews: (total: number | undefined) =>
      total === undefined ? 'reviews' : `${total} ${total === 1 ? 'review' : 'reviews'}`,
  },
};

export async function loader({ context }: LoaderFunctionArgs) {
  const user = await sessionIn(context).waitForUser();
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!user) return null;
  const { http, queries } = appIn(context);
  const query = ownReviewsQuery(http, user.email);
  const reports = ownReportsQuery(http);
  const replies = ownRepliesQuery(http);
  // The page does not wait for these queries, because its forms work without them.
  void queries.prefetchInfiniteQuery(query);
  void queries.prefetchInfiniteQuery(reports);
  void queries.prefetchQuery(replies);
  void queries.prefetchQuery(newsEmailsQuery(http));
  return { query, reports, replies, isModerator: await sessionIn(context).isModerator() };
}

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const session = sessionIn(context);
  return form.get('intent') === 'profile'
    ? saveProfile(appIn(context), session, form)
    : exportReviews(appIn(context).http, session, form.get('format') === 'csv');
}

async function saveProfile({ origin }: App, session: Session, form: FormData): Promise<ProfileErrors> {
  const parsed = parseForm(profileForm(origin), form);
  if (!parsed.ok) return parsed.errors;
  try {
    const profile = { displayName: parsed.values.name, photoURL: parsed.values.picture };
    await toast.during(session.saveProfile(profile), commonText.savingChanges, 'profile');
  } catch (error) {
    const message = signInErrorText(error, text.profile.failed) ?? text.profile.failed;
    toast.error(message, { id: 'profile' });
    return { '': message };
  }
  toast.success(text.profile.saved, { id: 'profile' });
  return {};
}

const loadExport = onDemand(() => import('../features/reviews/export.ts'));

/**
 * Downloads the customer's reviews, replies, votes, reports and requests as a file. Returns null, or an error text if the
 * download failed.
 */
async function exportReviews(http: Http, session: Session, isCsv: boolean): Promise<string | null> {
  const user = await session.waitForUser();
  const { countsOf, toCsv, toJson } = await loadExport();
  try {
    const content = await readOwnContent(http, user?.email ?? '');
    const name = `rtr-cloud-kitchen-reviews-${new Date().toISOString().slice(0, 10)}`;
    if (isCsv) download(`${name}.csv`, 'text/csv;charset=utf-8', toCsv(content));
    else download(`${name}.json`, 'application/json', toJson(content));
    toast.success(text.reviews.exported(countsOf(content)));
    return null;
  } catch (error) {
    return failureText(failureOf(error), text.reviews.failed);
  }
}

export function Component() {
  return (
    <>
      <PageHead name={protectedPageNames.account} />
      <Account />
    </>
  );
}

function Account() {
  const { user } = useSession();
  const data = useLoaderData<typeof loader>();
  const [isDeleted, setIsDeleted] = useState(false);
  if (!user || !data) return <ProgressBars />;
  return (
    <div className="column grid gap-8 py-8 md:py-12">
      <header className="grid gap-4">
        <h1 className="text-heading">{protectedPageNames.account}</h1>
        <div className="flex items-center gap-4">
          <Avatar src={user.photoURL} name={user.displayName || user.email} />
          <p className="grid min-w-0">
            <bdi className="text-title wrap-anywhere">{user.displayName || text.nameless}</bdi>
            <span className="wrap-anywhere text-muted">{user.email}</span>
          </p>
        </div>
      </header>
      <div className="border-t-4 border-ink">
        {!isDeleted && <ProfileForm user={user} />}
        <Section title={text.email}>
          <VerifyEmail isEmailVerified={user.isEmailVerified} />
          <EmailsChoice isEmailVerified={user.isEmailVerified} />
        </Section>
        {/* Removes the form synchronously. Otherwise its unsaved changes would prevent the navigation to the home page. */}
        <ReviewsAndDeletion {...data} uid={user.uid} onDeleted={() => flushSync(() => setIsDeleted(true))} />
      </div>
    </div>
  );
}

interface ReviewsAndDeletionProps extends Exclude<Awaited<ReturnType<typeof loader>>, null> {
  uid: string;
  onDeleted: () => void;
}

function ReviewsAndDeletion({ uid, query, reports, replies, isModerator, onDeleted }: ReviewsAndDeletionProps) {
  const { reviews, deletion } = text;
  const { data } = useInfiniteQuery(query);
  const total = data?.pages.at(-1)?.total;
  const replyCount = useQuery(replies).data?.total ?? 0;
  const onDelete = useAccountDeletion(uid, onDeleted);
  return (
    <>
      <Section title={reviews.title}>
        {total === 0 && <p className="text-muted">{reviews.none}</p>}
        <ExportButtons />
        <Link to="/myReview" className="link justify-self-start">
          {reviewText.seeYours}
        </Link>
      </Section>
      <Section title={text.services.title}>
        <p className="text-muted">{text.services.body}</p>
        <Link to="/myservices" className="link justify-self-start">
          {serviceText.seeYours}
        </Link>
      </Section>
      <Section id="reports" title={moderationText.yourReports}>
        <OwnReports
          query={reports}
          addressOf={({ kind, id, serviceId }) =>
            kind === 'review' ? addressOfReview({ serviceId, _id: id }) : `/services/${id}`
          }
        />
      </Section>
      {isModerator && (
        <Section title={moderationText.name}>
          <p className="text-muted">{text.moderation.body}</p>
          <Link to="/moderation" className="link justify-self-start">
            {text.moderation.link}
          </Link>
        </Section>
      )}
      <Section title={deletion.title}>
        <DeleteAccount onDelete={onDelete}>
          <p>{total === 0 ? deletion.warningWithout : deletion.warning(deletion.reviews(total ?? undefined))}</p>
          {replyCount > 0 && <p>{deletion.replies(replyCount)}</p>}
          <p className="text-muted">{requestText.afterAccountDeletion}</p>
          <p className="text-muted">{serviceText.afterAccountDeletion}</p>
        </DeleteAccount>
      </Section>
    </>
  );
}
