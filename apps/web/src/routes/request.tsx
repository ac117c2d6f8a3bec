import { type ConversationDetails, titleOf } from '@rtr/shared';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  useActionData,
  useLoaderData,
  useNavigation,
} from 'react-router-dom';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import type { SessionUser } from '../features/auth/session-store.ts';
import { ReportButton } from '../features/moderation/report-button.tsx';
import { CloseRequest } from '../features/requests/close-request.tsx';
import { draftValuesOf, messageForm } from '../features/requests/forms.ts';
import { MessageForm } from '../features/requests/message-form.tsx';
import { MessageList } from '../features/requests/message-list.tsx';
import { NewMessageRegion } from '../features/requests/new-message-region.tsx';
import { requestQuery } from '../features/requests/queries.ts';
import { nameOf, requestText } from '../features/requests/texts.ts';
import { useMarkAsRead } from '../features/requests/use-mark-as-read.ts';
import { sendMessage } from '../features/requests/write.ts';
import { isNotFound } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { readDraft } from '../lib/draft.ts';
import { useStorage } from '../lib/storage-context.ts';
import { useActionResult } from '../lib/use-action-result.ts';
import { useFirstLoad } from '../lib/use-first-load.ts';
import { ButtonLink } from '../ui/button.tsx';
import { Chip } from '../ui/chip.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { LiveRegion } from '../ui/live-region.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { ProgressBars } from '../ui/page-state.tsx';
import { RetryAlert } from '../ui/retry-alert.tsx';
import { submitDraft } from '../ui/submit-draft.ts';
import { commonText } from '../ui/texts.ts';
import { UnsavedText } from '../ui/unsaved-text.tsx';
import { type FormDraft, WithDraft } from '../ui/with-draft.tsx';
import { failedTextOf, protectedPageNames, routeText } from './texts.ts';

export { revalidatesAfterConflict as shouldRevalidate } from '../ui/submit-draft.ts';

const text = {
  loading: 'Loading messages…',
  failed: 'This request did not load',
  notFound: 'This request was not found',
  notFoundBody: 'Only the two people who take part in a request can open it.',
  intro: { customer: 'Your request to ', lister: 'Request from ' },
  label: 'Your message',
  submit: 'Send message',
  sending: 'Sending your message…',
  done: 'Your message is sent.',
  notSent: `Your message was not sent. ${commonText.textInForm}`,
  sentBefore: `You already sent this message. ${commonText.onlyFirstSaved}`,
  isClosed: 'This request is closed. Nobody can add messages.',
  otherIsGone: 'The other person has closed their account.',
};

const failedText = failedTextOf({ repeated: text.sentBefore, other: text.notSent });

const subjectOf = (id: string) => `message ${id}`;

export async function loader({ params: { id = '' }, context }: LoaderFunctionArgs) {
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!(await sessionIn(context).waitForUser())) return null;
  const { http, queries } = appIn(context);
  const query = requestQuery(http, id);
  // A failed prefetch throws no error. The page then shows the error of the query.
  await queries.prefetchQuery(query);
  return query;
}

export async function action({ request, params: { id = '' }, context }: ActionFunctionArgs) {
  const app = appIn(context);
  return submitDraft({
    form: await request.formData(),
    schema: messageForm,
    draft: { storage: app.storage, owner: sessionIn(context).getState().user?.uid ?? '', subject: subjectOf(id) },
    draftOf: ({ idempotencyKey, ...message }) => ({ values: draftValuesOf(message), idempotencyKey }),
    send: ({ idempotencyKey, ...message }) => sendMessage(app, id, message, idempotencyKey),
    toastId: id,
    texts: { sending: text.sending, done: text.done, failed: failedText },
  });
}

export function Component() {
  const query = useLoaderData<typeof loader>();
  const { user } = useSession();
  if (query && user) return <LoadedPage query={query} user={user} />;
  return (
    <Page>
      <PageHead name={protectedPageNames.request} />
      <ProgressBars />
    </Page>
  );
}

interface LoadedPageProps {
  query: ReturnType<typeof requestQuery>;
  user: SessionUser;
}

function LoadedPage({ query, user }: LoadedPageProps) {
  const result = useQuery(query);
  const { hasFailed, retry, announcement } = useFirstLoad(result, text);
  if (isNotFound(result.error))
    return (
      <MessagePage
        name={commonText.notFound}
        picture="/pictures/no-review.svg"
        title={text.notFound}
        action={<ButtonLink to="/requests">{requestText.seeYours}</ButtonLink>}
      >
        <p>{text.notFoundBody}</p>
      </MessagePage>
    );
  if (result.data) return <ConversationPage conversation={result.data.row} user={user} />;
  return (
    <Page>
      <PageHead name={protectedPageNames.request} />
      <LiveRegion variant="hidden">{announcement}</LiveRegion>
      {hasFailed ? (
        <RetryAlert title={text.failed} pending={result.isFetching} onRetry={retry} />
      ) : (
        <ProgressBars label={text.loading} />
      )}
    </Page>
  );
}

interface ConversationPageProps {
  conversation: ConversationDetails;
  user: SessionUser;
}

function ConversationPage({ conversation, user }: ConversationPageProps) {
  const { serviceId, serviceTitle, role, other, status } = conversation;
  useMarkAsRead(conversation);
  return (
    <Page>
      <PageHead name={protectedPageNames.request} />
      <div className="grid max-w-180 gap-6">
        <div className="grid justify-items-start gap-3">
          <PageHeader
            title={titleOf({ title: serviceTitle })}
            intro={
              <>
                {text.intro[role]}
                <bdi>{nameOf(other)}</bdi>
              </>
            }
          />
          <p className="flex flex-wrap gap-x-6 gap-y-2">
            <Link to={`/services/${serviceId}`} className="link">
              {routeText.seeService}
            </Link>
            <Link to="/requests" className="link">
              {requestText.seeYours}
            </Link>
          </p>
          {status === 'closed' && <Chip>{requestText.closed}</Chip>}
        </div>
        <MessageList
          conversation={conversation}
          user={user}
          report={(message, name) => (
            <ReportButton
              target={{ kind: 'message', id: message._id, name, parts: ['message'] }}
              uid={user.uid}
              isVisitor={false}
            />
          )}
        />
        <NewMessageRegion conversation={conversation} />
        <Answer conversation={conversation} user={user} />
      </div>
    </Page>
  );
}

/** The form for the next message, or the reason why there can be no next message. */
function Answer({ conversation: { _id, status, other }, user }: ConversationPageProps) {
  const storage = useStorage();
  const outcome = useActionData<typeof action>();
  // Each message has its own form, with its own draft and idempotency key. A failed attempt keeps the form.
  const sentId = outcome && 'result' in outcome ? outcome.result.insertedId : undefined;
  const [sentAtStart] = useState(sentId);
  const [lastSentId, setLastSentId] = useState(sentId);
  if (sentId !== undefined && sentId !== lastSentId) setLastSentId(sentId);
  if (status === 'closed' || other.isClosed) {
    const draftText = readDraft(storage, user.uid, subjectOf(_id))?.values.text ?? '';
    return (
      <div>
        <p className="text-muted">{other.isClosed ? text.otherIsGone : text.isClosed}</p>
        <UnsavedText fields={[{ label: routeText.unsavedText, name: 'text', value: draftText }]} />
      </div>
    );
  }
  return (
    <div className="grid max-w-130 gap-8">
      <WithDraft key={lastSentId} owner={user.uid} subject={subjectOf(_id)}>
        {(draft) => <AnswerForm draft={draft} isFocused={lastSentId !== sentAtStart} />}
      </WithDraft>
      <div className="tear-line pt-6">
        <CloseRequest id={_id} />
      </div>
    </div>
  );
}

function AnswerForm({ draft, isFocused }: { draft: FormDraft; isFocused: boolean }) {
  const outcome = useActionResult<typeof action>();
  const rejection = outcome && !('result' in outcome) ? outcome : undefined;
  const pending = useNavigation().state !== 'idle';
  return (
    <MessageForm
      label={text.label}
      draft={draft}
      error={rejection?.errors?.text}
      failure={rejection?.failure && <FailureAlert {...rejection} />}
      submit={text.submit}
      pending={pending}
      isFocused={isFocused}
    />
  );
}
