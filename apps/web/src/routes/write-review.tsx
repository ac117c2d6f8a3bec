import { addressOfReview, isWebUrl, limits, type ServiceDetails } from '@rtr/shared';
import { useQuery } from '@tanstack/react-query';
import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  matchPath,
  parsePath,
  replace,
  useLoaderData,
  useLocation,
  useNavigation,
  useParams,
} from 'react-router-dom';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import type { SessionUser } from '../features/auth/session-store.ts';
import { draftValuesOf, reviewForm } from '../features/reviews/forms.ts';
import { ownReviewsOfServiceQuery } from '../features/reviews/queries.ts';
import { ReviewForm } from '../features/reviews/review-form.tsx';
import { reviewText } from '../features/reviews/texts.ts';
import { addReview } from '../features/reviews/write.ts';
import { serviceQuery } from '../features/services/queries.ts';
import { Rating } from '../features/services/rating.tsx';
import { ServiceSummary } from '../features/services/service-summary.tsx';
import { UnlistedService } from '../features/services/unlisted-service.tsx';
import { nullIfNotFound } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { readDraft } from '../lib/draft.ts';
import type { Failure } from '../lib/failure.ts';
import { originIn, safePath } from '../lib/safe-path.ts';
import { useStorage } from '../lib/storage-context.ts';
import { useActionResult } from '../lib/use-action-result.ts';
import { CopyText } from '../ui/copy-text.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { LiveRegion } from '../ui/live-region.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { submitDraft } from '../ui/submit-draft.ts';
import { commonText } from '../ui/texts.ts';
import { UnsavedText } from '../ui/unsaved-text.tsx';
import { type FormDraft, WithDraft } from '../ui/with-draft.tsx';
import { failedTextOf, protectedPageNames, routeText } from './texts.ts';

export { revalidatesAfterConflict as shouldRevalidate } from '../ui/submit-draft.ts';

const text = {
  name: protectedPageNames.writeReview,
  title: 'Write a review',
  intro: 'Two sentences are enough.',
  submit: 'Send review',
  sending: 'Sending your review…',
  done: 'Thanks for Your Review',
  failed: 'Your review was not sent. The text is safe here.',
  sentBefore: `You already sent this review. ${commonText.onlyFirstSaved} Edit the review to add them.`,
  mine: 'My Review',
  reviewedBefore: 'You have already reviewed this service.',
  gone: 'This service was removed while you were writing. Copy your text if you want to keep it.',
};

const failedText = failedTextOf({ missing: text.gone, repeated: text.sentBefore, other: text.failed });

export async function loader({ params, context }: LoaderFunctionArgs) {
  const user = await sessionIn(context).waitForUser();
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!user) return null;
  const { http, queries } = appIn(context);
  const service = await nullIfNotFound(queries.ensureQueryData(serviceQuery(http, params.id ?? '')));
  return (
    service && { service, ownReviews: ownReviewsOfServiceQuery(http, { email: user.email, serviceId: service._id }) }
  );
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const serviceId = params.id ?? '';
  const form = await request.formData();
  const app = appIn(context);
  const now = new Date();
  const outcome = await submitDraft({
    form,
    schema: reviewForm,
    draft: { storage: app.storage, owner: sessionIn(context).getState().user?.uid ?? '', subject: serviceId },
    draftOf: ({ idempotencyKey, ...review }) => ({ values: draftValuesOf(review), idempotencyKey }),
    send: ({ idempotencyKey, ...review }) =>
      addReview(
        app,
        { ...review, serviceId, time: now.toLocaleTimeString(), date: now.toLocaleDateString() },
        idempotencyKey,
      ),
    toastId: `review ${serviceId}`,
    texts: { sending: text.sending, done: text.done, failed: failedText },
  });
  if (!('result' in outcome)) return outcome;
  return replace(redirectTarget(safePath(form.get('origin')), { serviceId, _id: outcome.result.insertedId }));
}

/**
 * Returns the address of the page that the customer came from. If this is the page of the service, the address ends with the
 * hash that links to the new review.
 */
function redirectTarget(origin: string, review: { serviceId: string; _id: string }): string {
  const from = matchPath('/services/:id', parsePath(origin).pathname ?? '');
  return from?.params.id === review.serviceId ? addressOfReview(review) : origin;
}

export function Component() {
  const data = useLoaderData<typeof loader>();
  const { id = '' } = useParams();
  const { user } = useSession();
  const storage = useStorage();
  if (data) return <WritePage {...data} />;
  // The service may have been withdrawn while the customer wrote a review. So the page shows the draft, and the customer
  // can copy it.
  const draftText = readDraft(storage, user?.uid ?? '', id)?.values.review ?? '';
  return (
    <UnlistedService
      below={<UnsavedText fields={[{ label: routeText.unsavedText, name: 'review', value: draftText }]} />}
    />
  );
}

interface WritePageProps {
  service: ServiceDetails;
  ownReviews: ReturnType<typeof ownReviewsOfServiceQuery>;
}

function WritePage({ service, ownReviews }: WritePageProps) {
  const { user } = useSession();
  return (
    <Page layout="form">
      <PageHead name={text.name} />
      <div>
        <ServiceSummary service={service}>
          <Rating {...service} />
        </ServiceSummary>
      </div>
      <div className="grid content-start gap-4 md:gap-6">
        <PageHeader title={text.title} intro={text.intro} />
        <EarlierReview query={ownReviews} />
        {user && (
          <WithDraft owner={user.uid} subject={service._id}>
            {(draft) => <WriteForm user={user} service={service} draft={draft} />}
          </WithDraft>
        )}
      </div>
    </Page>
  );
}

/** A notice with a link to the newest review that the customer has already written of this service. */
function EarlierReview({ query }: { query: WritePageProps['ownReviews'] }) {
  // The reviews are not fetched again while the form is being sent. They could already include the new review, and the
  // notice would show it as an earlier review.
  const isIdle = useNavigation().state === 'idle';
  const { data } = useQuery({ ...query, enabled: isIdle });
  const review = data?.find(({ hidden }) => !hidden);
  return (
    <LiveRegion variant="collapsible">
      {review && (
        <p className="flex flex-wrap gap-x-4">
          {text.reviewedBefore}
          <Link to={`/editreview/${review._id}`} className="link">
            {reviewText.edit}
          </Link>
        </p>
      )}
    </LiveRegion>
  );
}

interface WriteFormProps {
  user: SessionUser;
  service: { title: string; price: string; img: string };
  draft: FormDraft;
}

function WriteForm({ user, service, draft }: WriteFormProps) {
  const sent = useActionResult<typeof action>();
  const pending = useNavigation().state !== 'idle';
  const { state } = useLocation();
  const readText = () => draft.read()?.values.review ?? '';
  return (
    <ReviewForm
      author={{ customer: user.displayName.slice(0, limits.sentNameLength), email: user.email }}
      hidden={{
        serviceName: service.title,
        price: service.price,
        img: service.img,
        costomerImg: isWebUrl(user.photoURL) ? user.photoURL : '',
        origin: originIn(state).to,
      }}
      initial={{ review: '', rating: '' }}
      draft={draft}
      error={sent?.errors?.review}
      failure={sent?.failure && <FailureAlert {...sent} action={nextStep(sent.failure, readText)} />}
      submit={text.submit}
      pending={pending}
    />
  );
}

/** For some failures that a retry cannot fix, returns a link or a button with the next step. Otherwise returns null. */
function nextStep({ reason }: Failure, readText: () => string) {
  if (reason === 'missing') return <CopyText text={readText} />;
  if (reason === 'repeated' || reason === 'limit')
    return (
      <Link to="/myreview" className="link">
        {text.mine}
      </Link>
    );
  return null;
}
