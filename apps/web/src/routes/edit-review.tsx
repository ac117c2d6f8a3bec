import type { OwnReview } from '@rtr/shared';
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  useLoaderData,
  useNavigation,
  useParams,
} from 'react-router-dom';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import { CopyText } from '../features/reviews/copy-text.tsx';
import { editForm } from '../features/reviews/forms.ts';
import { reviewQuery } from '../features/reviews/queries.ts';
import { ReviewForm } from '../features/reviews/review-form.tsx';
import { reviewText } from '../features/reviews/texts.ts';
import { editReview } from '../features/reviews/write.ts';
import { ServiceSummary } from '../features/services/service-summary.tsx';
import { nullIfNotFound } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { readDraft } from '../lib/draft.ts';
import type { Failure } from '../lib/failure.ts';
import { useStorage } from '../lib/storage-context.ts';
import { useActionResult } from '../lib/use-action-result.ts';
import { useGoBack } from '../lib/use-go-back.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { AreaField } from '../ui/field.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { submitDraft } from '../ui/submit-draft.ts';
import { commonText } from '../ui/texts.ts';
import { type FormDraft, WithDraft } from '../ui/with-draft.tsx';
import { routeText } from './texts.ts';

const text = {
  name: 'Edit Review',
  title: 'Edit your review',
  intro: 'Your review will be marked as edited.',
  serviceId: 'Service ID',
  customer: 'Name',
  email: 'Email',
  done: 'You review Updated',
  failed: `Your changes were not saved. ${commonText.textInForm}`,
  deleted: `This review was deleted while you were editing. ${commonText.textInForm}`,
  forbidden: {
    title: 'Only its author can edit this review.',
    body: 'You can read it on the service page.',
    action: 'See the service',
  },
  missing: {
    title: 'This review was not found',
    draftHint: 'Your text is kept on this device. Copy it if you want to use it elsewhere.',
    draft: 'Your text',
  },
};

const messagePicture = '/pictures/no-review.svg';

const subjectOf = (id: string) => `edit ${id}`;

export async function loader({ params, context }: LoaderFunctionArgs) {
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!(await sessionIn(context).waitForUser())) return null;
  const { http, queries } = appIn(context);
  return nullIfNotFound(queries.ensureQueryData(reviewQuery(http, params.id ?? '')));
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const id = params.id ?? '';
  const app = appIn(context);
  return submitDraft({
    form: await request.formData(),
    schema: editForm,
    draft: { storage: app.storage, owner: sessionIn(context).getState().user?.uid ?? '', subject: subjectOf(id) },
    send: ({ review, rating }) => editReview(app, id, { review, rating: rating ?? null }),
    toastId: id,
    texts: { sending: commonText.savingChanges, done: text.done, failed: failedText },
  });
}

function failedText({ reason }: Failure): string {
  if (reason === 'unavailable') return routeText.unavailableForForm;
  if (reason === 'missing') return text.deleted;
  return reason === 'forbidden' ? text.forbidden.title : text.failed;
}

export function Component() {
  const review = useLoaderData<typeof loader>();
  const { id = '' } = useParams();
  const { user } = useSession();
  if (!review)
    return (
      <MessagePage
        name={commonText.notFound}
        picture={messagePicture}
        title={text.missing.title}
        action={<ButtonLink to="/myreview">{reviewText.seeYours}</ButtonLink>}
        below={<UnsavedText uid={user?.uid ?? ''} id={id} />}
      >
        <p>{reviewText.maybeDeleted}</p>
      </MessagePage>
    );
  // Without an email, this customer is not the author, because the API sends the email only to the author.
  if (review.email === undefined)
    return (
      <MessagePage
        name={text.name}
        picture={messagePicture}
        title={text.forbidden.title}
        action={<ButtonLink to={`/services/${review.serviceId}`}>{text.forbidden.action}</ButtonLink>}
      >
        <p>{text.forbidden.body}</p>
      </MessagePage>
    );
  return <EditPage review={{ ...review, email: review.email }} />;
}

function EditPage({ review }: { review: OwnReview }) {
  const { user } = useSession();
  const { _id, serviceId, serviceName, price, img } = review;
  return (
    <Page layout="form">
      <PageHead name={text.name} />
      <div>
        <ServiceSummary service={{ _id: serviceId, title: serviceName, price, img }}>
          {review.byLister && <Chip>{reviewText.byLister}</Chip>}
        </ServiceSummary>
      </div>
      <div className="grid content-start gap-6">
        <PageHeader title={text.title} intro={text.intro} />
        {user && (
          <WithDraft owner={user.uid} subject={subjectOf(_id)}>
            {(draft) => <EditForm review={review} draft={draft} />}
          </WithDraft>
        )}
      </div>
    </Page>
  );
}

function EditForm({ review, draft }: { review: OwnReview; draft: FormDraft }) {
  const sent = useActionResult<typeof action>();
  const isSaved = sent !== undefined && 'result' in sent;
  const rejection = isSaved ? undefined : sent;
  useGoBack(isSaved, '/myreview');
  const pending = useNavigation().state !== 'idle' || isSaved;
  return (
    <ReviewForm
      fixed={[
        { label: text.serviceId, name: 'serviceId', value: review.serviceId },
        { label: text.customer, name: 'customer', value: review.customer },
        { label: text.email, name: 'email', value: review.email },
      ]}
      initial={{ review: review.review, rating: String(review.rating ?? '') }}
      draft={draft}
      error={rejection?.errors?.review}
      failure={
        rejection?.failure && (
          <FailureAlert
            {...rejection}
            action={
              rejection.failure.reason === 'missing' && (
                <CopyText text={() => draft.read()?.values.review ?? review.review} />
              )
            }
          />
        )
      }
      submit={commonText.saveChanges}
      pending={pending}
    />
  );
}

/**
 * If the review was deleted before the customer saved their edit, shows the draft of the edit. The customer can only copy
 * its text.
 */
function UnsavedText({ uid, id }: { uid: string; id: string }) {
  const draftText = readDraft(useStorage(), uid, subjectOf(id))?.values.review;
  if (!draftText) return null;
  return (
    <div className="mt-6 grid max-w-130 gap-4">
      <p>{text.missing.draftHint}</p>
      <AreaField label={text.missing.draft} name="review" value={draftText} readOnly />
      <div>
        <CopyText text={() => draftText} />
      </div>
    </div>
  );
}
