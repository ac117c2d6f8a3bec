import { addressOfReview, type OwnReply, type Review } from '@rtr/shared';
import type { ReactNode } from 'react';
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  replace,
  useLoaderData,
  useNavigation,
  useParams,
} from 'react-router-dom';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import { HiddenNote } from '../features/moderation/hidden-note.tsx';
import { replyForm } from '../features/reviews/forms.ts';
import { ownReplyQuery, reviewQuery } from '../features/reviews/queries.ts';
import { QuotedReview } from '../features/reviews/quoted-review.tsx';
import { reviewText } from '../features/reviews/texts.ts';
import { putReply } from '../features/reviews/write.ts';
import { ownServiceQuery } from '../features/services/queries.ts';
import { ServiceSummary } from '../features/services/service-summary.tsx';
import { serviceText } from '../features/services/texts.ts';
import { nullIfNotFound } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { readDraft } from '../lib/draft.ts';
import { safePath } from '../lib/safe-path.ts';
import { useStorage } from '../lib/storage-context.ts';
import { useActionResult } from '../lib/use-action-result.ts';
import { useGoBack } from '../lib/use-go-back.ts';
import { ButtonLink } from '../ui/button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { DraftNote } from '../ui/draft-note.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { AreaField } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { SubmitButton } from '../ui/submit-button.tsx';
import { submitDraft } from '../ui/submit-draft.ts';
import { commonText } from '../ui/texts.ts';
import { UnsavedText } from '../ui/unsaved-text.tsx';
import { type FormDraft, WithDraft } from '../ui/with-draft.tsx';
import { failedTextOf, protectedPageNames, routeText } from './texts.ts';

export { revalidatesAfterConflict as shouldRevalidate } from '../ui/submit-draft.ts';

const text = {
  add: {
    name: protectedPageNames.reply,
    title: 'Reply to this review',
    submit: 'Send reply',
    done: 'Your reply is sent.',
  },
  edit: {
    name: 'Edit reply',
    title: 'Edit your reply',
    submit: commonText.saveChanges,
    done: 'Your changes are saved.',
  },
  hidden: {
    title: 'Your reply is hidden',
    intro: 'You can neither change a hidden reply nor write another one.',
    reply: 'your reply',
  },
  intro: 'Everyone can read your reply below the review, with your name.',
  label: 'Your reply',
  sending: 'Sending your reply…',
  failed: `Your reply was not sent. ${commonText.textInForm}`,
  gone: `This review was deleted or hidden while you were writing. ${commonText.textInForm}`,
  notLister: {
    title: 'Only the lister of this service can reply.',
    body: 'You can read the review on the service page.',
  },
};

const failedText = failedTextOf({ missing: text.gone, other: text.failed });

const messagePicture = '/pictures/no-review.svg';

const subjectOf = (id: string) => `reply ${id}`;

export async function loader({ params: { id = '' }, context }: LoaderFunctionArgs) {
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!(await sessionIn(context).waitForUser())) return null;
  const { http, queries } = appIn(context);
  const review = await nullIfNotFound(queries.ensureQueryData(reviewQuery(http, id)));
  if (!review) return null;
  const [service, ownReply] = await Promise.all([
    queries.ensureQueryData(ownServiceQuery(http, review.row.serviceId)),
    queries.ensureQueryData(ownReplyQuery(http, id)),
  ]);
  return { review: review.row, isLister: service !== null, hiddenReply: ownReply?.hidden ? ownReply : undefined };
}

export async function action({ request, params: { id = '' }, context }: ActionFunctionArgs) {
  const app = appIn(context);
  const form = await request.formData();
  const outcome = await submitDraft({
    form,
    schema: replyForm,
    draft: { storage: app.storage, owner: sessionIn(context).getState().user?.uid ?? '', subject: subjectOf(id) },
    draftOf: ({ reply, idempotencyKey }) => ({ values: { reply }, idempotencyKey }),
    send: ({ reply }) => putReply(app, id, reply),
    toastId: id,
    texts: { sending: text.sending, done: form.has('isEdit') ? text.edit.done : text.add.done, failed: failedText },
  });
  return 'result' in outcome ? replace(safePath(form.get('address'))) : outcome;
}

export function Component() {
  const loaded = useLoaderData<typeof loader>();
  const { id = '' } = useParams();
  const { user } = useSession();
  const storage = useStorage();
  // A moderator may have hidden the reply while the lister edited it, or the review may have been deleted. So the page
  // shows the draft, and the lister can copy it.
  const draftText = readDraft(storage, user?.uid ?? '', subjectOf(id))?.values.reply ?? '';
  const unsavedText = <UnsavedText fields={[{ label: routeText.unsavedText, name: 'reply', value: draftText }]} />;
  if (!loaded)
    return (
      <MessagePage
        name={commonText.notFound}
        picture={messagePicture}
        title={reviewText.notFound}
        action={<ButtonLink to="/myservices">{serviceText.seeYours}</ButtonLink>}
        below={unsavedText}
      >
        <p>{reviewText.maybeDeleted}</p>
      </MessagePage>
    );
  const { review, isLister, hiddenReply } = loaded;
  // The API sends the author's email only to the author. So if the review contains an email, the customer is its
  // author. Authors cannot reply to their own reviews.
  if (!isLister || review.email !== undefined)
    return (
      <MessagePage
        name={text.add.name}
        picture={messagePicture}
        title={text.notLister.title}
        action={<ButtonLink to={`/services/${review.serviceId}`}>{routeText.seeService}</ButtonLink>}
      >
        <p>{text.notLister.body}</p>
      </MessagePage>
    );
  if (!hiddenReply) return <ReplyPage review={review} />;
  return (
    <HiddenReplyPage review={review} reply={hiddenReply}>
      {unsavedText}
    </HiddenReplyPage>
  );
}

/** Shows the lister why a moderator has hidden their reply. They can neither change the reply nor write another one. */
function HiddenReplyPage({ review, reply, children }: { review: Review; reply: OwnReply; children: ReactNode }) {
  const { user } = useSession();
  const { serviceId, serviceName, price, img } = review;
  return (
    <Page layout="form">
      <PageHead name={text.edit.name} />
      <div>
        <ServiceSummary service={{ _id: serviceId, title: serviceName, price, img }} />
      </div>
      <div className="grid content-start gap-6">
        <PageHeader title={text.hidden.title} intro={text.hidden.intro} />
        <HiddenNote
          target={{ kind: 'review', id: reply.reviewId, about: 'reply' }}
          name={text.hidden.reply}
          decision={reply.hidden}
          uid={user?.uid}
        />
        <p className="whitespace-pre-line wrap-anywhere">{reply.text}</p>
        {children}
        <QuotedReview review={{ ...review, reply: undefined }} />
      </div>
    </Page>
  );
}

function ReplyPage({ review }: { review: Review }) {
  const { user } = useSession();
  const { _id, serviceId, serviceName, price, img, reply } = review;
  const { name, title } = text[reply ? 'edit' : 'add'];
  return (
    <Page layout="form">
      <PageHead name={name} />
      <div>
        <ServiceSummary service={{ _id: serviceId, title: serviceName, price, img }} />
      </div>
      <div className="grid content-start gap-6">
        <PageHeader title={title} intro={text.intro} />
        <QuotedReview review={{ ...review, reply: undefined }} />
        {user && (
          <WithDraft owner={user.uid} subject={subjectOf(_id)}>
            {(draft) => <ReplyForm review={review} draft={draft} />}
          </WithDraft>
        )}
      </div>
    </Page>
  );
}

function ReplyForm({ review, draft }: { review: Review; draft: FormDraft }) {
  const rejection = useActionResult<typeof action>();
  const pending = useNavigation().state !== 'idle';
  const goBack = useGoBack(false, addressOfReview(review));
  const { reply } = review;
  const saved = reply?.text ?? '';
  return (
    <Form
      className="grid gap-6"
      onInput={({ target }) => target instanceof HTMLTextAreaElement && draft.save({ reply: target.value })}
    >
      <HiddenFields
        values={{
          idempotencyKey: draft.idempotencyKey,
          address: addressOfReview(review),
          ...(reply && { isEdit: 'yes' }),
        }}
      />
      <div className="grid gap-2">
        <AreaField
          label={text.label}
          error={rejection?.errors?.reply}
          name="reply"
          defaultValue={draft.restored?.values.reply ?? saved}
        />
        <DraftNote draft={draft} does={reply ? 'save' : 'send'} />
        {draft.isSaved === false && !pending && <LeaveGuard does={reply ? 'save' : 'send'} isDraftSaved={false} />}
      </div>
      {rejection?.failure && (
        <FailureAlert
          {...rejection}
          action={
            rejection.failure.reason === 'missing' && <CopyText text={() => draft.read()?.values.reply ?? saved} />
          }
        />
      )}
      <SubmitButton pending={pending} onCancel={reply && goBack}>
        {text[reply ? 'edit' : 'add'].submit}
      </SubmitButton>
    </Form>
  );
}
