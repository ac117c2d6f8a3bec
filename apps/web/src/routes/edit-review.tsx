import type { OwnReview, ReviewPhoto } from '@rtr/shared';
import { useState } from 'react';
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  useLoaderData,
  useNavigation,
  useParams,
} from 'react-router-dom';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import { HiddenNote } from '../features/moderation/hidden-note.tsx';
import { draftValuesOf, editForm } from '../features/reviews/forms.ts';
import { reviewQuery } from '../features/reviews/queries.ts';
import { ReviewForm } from '../features/reviews/review-form.tsx';
import { ReviewPhotos } from '../features/reviews/review-photos.tsx';
import { reviewText } from '../features/reviews/texts.ts';
import { editReview } from '../features/reviews/write.ts';
import { ServiceSummary } from '../features/services/service-summary.tsx';
import { nullIfNotFound } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { readDraft } from '../lib/draft.ts';
import { readPhotos } from '../lib/photos.ts';
import { useStorage } from '../lib/storage-context.ts';
import { useActionResult } from '../lib/use-action-result.ts';
import { useGoBack } from '../lib/use-go-back.ts';
import type { Versioned } from '../lib/version.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { EditConflict } from '../ui/edit-conflict.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { submitDraft } from '../ui/submit-draft.ts';
import { commonText } from '../ui/texts.ts';
import { UnsavedText } from '../ui/unsaved-text.tsx';
import { useEditedVersion } from '../ui/use-edited-version.ts';
import { type FormDraft, WithDraft } from '../ui/with-draft.tsx';
import { failedTextOf, protectedPageNames, routeText } from './texts.ts';

export { revalidatesAfterConflict as shouldRevalidate } from '../ui/submit-draft.ts';

const text = {
  name: protectedPageNames.editReview,
  intro: 'Your review will be marked as edited.',
  hidden: 'You cannot edit this review.',
  done: 'You review Updated',
  failed: `Your changes were not saved. ${commonText.textInForm}`,
  conflict:
    'This review was changed in another tab or on another device. Compare both versions, and choose one. Your version is still in the form.',
  stars: 'Stars',
  review: 'Text',
  photos: 'Photos',
  deleted: `This review was deleted while you were editing. ${commonText.textInForm}`,
  notAuthor: 'Only its author can edit this review.',
};

const failedText = failedTextOf({ missing: text.deleted, outdated: text.conflict, other: text.failed });

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
    draftOf: ({ idempotencyKey, version, ...review }) => ({
      values: { ...draftValuesOf(review), version },
      idempotencyKey,
    }),
    send: ({ review, rating, photos, version }) =>
      editReview(app, id, { review, rating: rating ?? null, photos }, version),
    readCurrent: () => app.queries.fetchQuery({ ...reviewQuery(app.http, id), staleTime: 0 }),
    toastId: id,
    texts: { sending: commonText.savingChanges, done: text.done, failed: failedText },
  });
}

export function Component() {
  const loaded = useLoaderData<typeof loader>();
  const { id = '' } = useParams();
  const { user } = useSession();
  const storage = useStorage();
  // The review may have been deleted or hidden while the customer edited it. The page then shows the text of the draft.
  const draftText = readDraft(storage, user?.uid ?? '', subjectOf(id))?.values.review ?? '';
  const unsavedText = <UnsavedText fields={[{ label: routeText.unsavedText, name: 'review', value: draftText }]} />;
  if (!loaded)
    return (
      <MessagePage
        name={commonText.notFound}
        picture={messagePicture}
        title={reviewText.notFound}
        action={<ButtonLink to="/myreview">{reviewText.seeYours}</ButtonLink>}
        below={unsavedText}
      >
        <p>{reviewText.maybeDeleted}</p>
      </MessagePage>
    );
  const { row: review, version } = loaded;
  // The API sends the email of a review only to its author. So if the email is missing, this customer is not the
  // author.
  if (review.email === undefined)
    return (
      <MessagePage
        name={text.name}
        picture={messagePicture}
        title={text.notAuthor}
        action={<ButtonLink to={`/services/${review.serviceId}`}>{routeText.seeService}</ButtonLink>}
      >
        <p>{routeText.readOnServicePage}</p>
      </MessagePage>
    );
  if (review.hidden)
    return (
      <MessagePage
        name={text.name}
        picture={messagePicture}
        title={text.hidden}
        action={<ButtonLink to="/myreview">{reviewText.seeYours}</ButtonLink>}
        below={unsavedText}
      >
        <HiddenNote
          target={{ kind: 'review', id: review._id, about: 'review' }}
          name={reviewText.thisReview}
          decision={review.hidden}
        />
      </MessagePage>
    );
  return <EditPage loaded={{ row: { ...review, email: review.email }, version }} />;
}

function EditPage({ loaded }: { loaded: Versioned<OwnReview> }) {
  const review = loaded.row;
  const { user } = useSession();
  const { _id, serviceId, serviceName, price, img } = review;
  return (
    <Page layout="form">
      <PageHead name={text.name} />
      <div>
        <ServiceSummary service={{ _id: serviceId, title: serviceName, price, img }} isListed={!review.isUnlisted}>
          {review.isUnlisted && <Chip tone="ink">{reviewText.unlisted}</Chip>}
          {review.byLister && <Chip>{reviewText.byLister}</Chip>}
        </ServiceSummary>
      </div>
      <div className="grid content-start gap-4 md:gap-6">
        <PageHeader title={reviewText.edit} intro={text.intro} />
        <HiddenNote
          target={{ kind: 'review', id: _id, about: 'picture' }}
          name={reviewText.photos}
          decision={review.removedPhotos}
          advice={reviewText.otherPhotos}
        />
        {user && (
          <WithDraft owner={user.uid} subject={subjectOf(_id)}>
            {(draft) => <EditForm loaded={loaded} draft={draft} />}
          </WithDraft>
        )}
      </div>
    </Page>
  );
}

function EditForm({ loaded, draft }: { loaded: Versioned<OwnReview>; draft: FormDraft }) {
  // After a conflict, the loader runs again and loads a newer version of the review. The form ignores that version here. The
  // edit is based on the version that was loaded when the form was opened, or on the version in the restored draft.
  const [{ row: review, version: openedVersion }] = useState(loaded);
  const editedVersion = draft.restored?.values.version || openedVersion;
  const sent = useActionResult<typeof action>();
  const isSaved = sent !== undefined && 'result' in sent;
  const rejection = isSaved ? undefined : sent;
  const goBack = useGoBack(isSaved, '/myreview');
  const pending = useNavigation().state !== 'idle' || isSaved;
  const conflict = rejection?.conflict;
  const version = useEditedVersion(editedVersion, conflict);
  return (
    <ReviewForm
      author={review}
      serviceId={review.serviceId}
      hidden={{ version }}
      initial={draftValuesOf(review)}
      draft={draft}
      draftExtras={{ version: editedVersion }}
      error={rejection?.errors?.review}
      failure={
        conflict ? (
          <EditConflict
            message={text.conflict}
            fields={[
              { label: text.stars, saved: starsOf(conflict.current.row), yours: starsOf(conflict.sent) },
              { label: text.review, saved: conflict.current.row.review, yours: conflict.sent.review },
              {
                label: text.photos,
                saved: photosOf(conflict.current.row),
                // An edit without `photos` keeps the saved photos, so the customer's version shows the saved photos.
                yours: photosOf({ photos: conflict.sent.photos ?? conflict.current.row.photos }),
                show: (photos, version) => <ReviewPhotos photos={readPhotos<ReviewPhoto>(photos)} name={version} />,
              },
            ]}
            onTakeSaved={draft.startOver}
          />
        ) : (
          rejection?.failure && (
            <FailureAlert
              {...rejection}
              action={
                (rejection.failure.reason === 'missing' || rejection.failure.reason === 'forbidden') && (
                  <CopyText text={() => draft.read()?.values.review ?? review.review} />
                )
              }
            />
          )
        )
      }
      submit={commonText.saveChanges}
      onCancel={goBack}
      hasOwnSubmit={conflict !== undefined}
      pending={pending}
    />
  );
}

const starsOf = ({ rating }: { rating?: number | undefined }) =>
  rating === undefined ? '' : `${rating} ${rating === 1 ? 'star' : 'stars'}`;

/** Returns the photos as JSON, or '' if there are none. */
const photosOf = ({ photos = [] }: { photos?: ReviewPhoto[] | undefined }) =>
  photos.length > 0 ? JSON.stringify(photos.map(({ url, alt }) => ({ url, alt }))) : '';
