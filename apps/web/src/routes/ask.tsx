import { addressOfRequest, limits, type ServiceDetails } from '@rtr/shared';
import { useQuery } from '@tanstack/react-query';
import {
  type ActionFunctionArgs,
  type LoaderFunctionArgs,
  replace,
  useLoaderData,
  useNavigation,
  useParams,
} from 'react-router-dom';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import type { SessionUser } from '../features/auth/session-store.ts';
import { draftValuesOf, messageForm } from '../features/requests/forms.ts';
import { MessageForm } from '../features/requests/message-form.tsx';
import { openRequestQuery } from '../features/requests/queries.ts';
import { askLister } from '../features/requests/write.ts';
import { ownServiceQuery, serviceQuery } from '../features/services/queries.ts';
import { Rating } from '../features/services/rating.tsx';
import { ServiceSummary } from '../features/services/service-summary.tsx';
import { UnlistedService } from '../features/services/unlisted-service.tsx';
import { nullIfNotFound } from '../lib/api-error.ts';
import { appIn } from '../lib/app.ts';
import { readDraft } from '../lib/draft.ts';
import { useStorage } from '../lib/storage-context.ts';
import { useActionResult } from '../lib/use-action-result.ts';
import { ButtonLink } from '../ui/button.tsx';
import { CopyText } from '../ui/copy-text.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState } from '../ui/page-state.tsx';
import { submitDraft } from '../ui/submit-draft.ts';
import { commonText } from '../ui/texts.ts';
import { UnsavedText } from '../ui/unsaved-text.tsx';
import { type FormDraft, WithDraft } from '../ui/with-draft.tsx';
import { failedTextOf, protectedPageNames, routeText } from './texts.ts';

export { revalidatesAfterConflict as shouldRevalidate } from '../ui/submit-draft.ts';

const text = {
  intro: 'Only the lister can read your request. We do not show your email address.',
  label: 'Your request',
  hint: `What needs to be done, where, and by when? Up to ${limits.messageLength.toLocaleString('en')} characters.`,
  submit: 'Send request',
  sending: 'Sending your request…',
  done: 'Your request is sent.',
  failed: 'Your request was not sent. The text is safe here.',
  sentBefore: `You already sent this request. ${commonText.onlyFirstSaved}`,
  gone: 'This service was removed while you were writing. Copy your text if you want to keep it.',
  own: { title: 'This is your own service', body: 'Customers can ask you for a price on its page.' },
  open: {
    title: 'You have an open request about this service.',
    body: 'You can have one open request about each service. Write your question there, or close it first.',
    action: 'See your open request',
  },
};

const failedText = failedTextOf({ missing: text.gone, repeated: text.sentBefore, other: text.failed });

const subjectOf = (serviceId: string) => `ask ${serviceId}`;

export async function loader({ params: { id = '' }, context }: LoaderFunctionArgs) {
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!(await sessionIn(context).waitForUser())) return null;
  const { http, queries } = appIn(context);
  const service = await nullIfNotFound(queries.ensureQueryData(serviceQuery(http, id)));
  if (!service) return null;
  const openRequest = openRequestQuery(http, service._id);
  const [ownService] = await Promise.all([
    queries.ensureQueryData(ownServiceQuery(http, service._id)),
    // If this fails, the form is shown. The API accepts only one open request.
    queries.prefetchQuery(openRequest),
  ]);
  return { service, openRequest, isLister: ownService !== null };
}

export async function action({ request, params: { id = '' }, context }: ActionFunctionArgs) {
  const app = appIn(context);
  const outcome = await submitDraft({
    form: await request.formData(),
    schema: messageForm,
    draft: { storage: app.storage, owner: sessionIn(context).getState().user?.uid ?? '', subject: subjectOf(id) },
    draftOf: ({ idempotencyKey, ...message }) => ({ values: draftValuesOf(message), idempotencyKey }),
    send: ({ idempotencyKey, ...message }) => askLister(app, id, message, idempotencyKey),
    toastId: `ask ${id}`,
    texts: { sending: text.sending, done: text.done, failed: failedText },
  });
  return 'result' in outcome ? replace(addressOfRequest(outcome.result.insertedId)) : outcome;
}

export function Component() {
  const data = useLoaderData<typeof loader>();
  const { user } = useSession();
  if (!data) return <UnlistedService below={<UnsentRequest />} />;
  if (data.isLister)
    return (
      <MessagePage
        name={protectedPageNames.ask}
        picture="/pictures/no-review.svg"
        title={text.own.title}
        action={<ButtonLink to={`/services/${data.service._id}`}>{routeText.seeService}</ButtonLink>}
      >
        <p>{text.own.body}</p>
      </MessagePage>
    );
  return user && <AskPage {...data} user={user} />;
}

/**
 * The draft of a request that cannot be sent, because the service was withdrawn or because the customer has an open request.
 * The customer can copy the text.
 */
function UnsentRequest() {
  const { id = '' } = useParams();
  const { user } = useSession();
  const value = readDraft(useStorage(), user?.uid ?? '', subjectOf(id))?.values.text ?? '';
  return <UnsavedText fields={[{ label: routeText.unsavedText, name: 'text', value }]} />;
}

interface AskPageProps {
  service: ServiceDetails;
  openRequest: ReturnType<typeof openRequestQuery>;
  user: SessionUser;
}

function AskPage({ service, openRequest, user }: AskPageProps) {
  // The request is not looked up while the form is being sent. The new request would otherwise replace the form before the
  // page of the request opens.
  const isIdle = useNavigation().state === 'idle';
  const { data: open } = useQuery({ ...openRequest, enabled: isIdle });
  return (
    <Page layout="form">
      <PageHead name={protectedPageNames.ask} />
      <div>
        <ServiceSummary service={service}>
          <Rating {...service} />
        </ServiceSummary>
      </div>
      <div className="grid content-start gap-4 md:gap-6">
        <PageHeader title={protectedPageNames.ask} intro={text.intro} />
        {open ? (
          <div>
            <PageState
              title={text.open.title}
              action={<ButtonLink to={addressOfRequest(open._id)}>{text.open.action}</ButtonLink>}
            >
              <p>{text.open.body}</p>
            </PageState>
            <UnsentRequest />
          </div>
        ) : (
          <WithDraft owner={user.uid} subject={subjectOf(service._id)}>
            {(draft) => <AskForm draft={draft} />}
          </WithDraft>
        )}
      </div>
    </Page>
  );
}

function AskForm({ draft }: { draft: FormDraft }) {
  const rejection = useActionResult<typeof action>();
  const pending = useNavigation().state !== 'idle';
  return (
    <MessageForm
      label={text.label}
      hint={text.hint}
      draft={draft}
      error={rejection?.errors?.text}
      failure={
        rejection?.failure && (
          <FailureAlert
            {...rejection}
            action={rejection.failure.reason === 'missing' && <CopyText text={() => draft.read()?.values.text ?? ''} />}
          />
        )
      }
      submit={text.submit}
      pending={pending}
    />
  );
}
