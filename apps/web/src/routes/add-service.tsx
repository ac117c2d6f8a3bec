import { emptyService } from '@rtr/shared';
import { type ActionFunctionArgs, Link, replace, useLocation, useNavigation } from 'react-router-dom';
import { sessionIn, useSession, useSessionActions } from '../features/auth/session-context.ts';
import type { SessionUser } from '../features/auth/session-store.ts';
import { addForm } from '../features/services/forms.ts';
import { ServiceForm } from '../features/services/service-form.tsx';
import { serviceText } from '../features/services/texts.ts';
import { addService } from '../features/services/write.ts';
import { appIn } from '../lib/app.ts';
import { originIn, safePath } from '../lib/safe-path.ts';
import { useActionResult } from '../lib/use-action-result.ts';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { submitDraft } from '../ui/submit-draft.ts';
import { commonText } from '../ui/texts.ts';
import { type FormDraft, WithDraft } from '../ui/with-draft.tsx';
import { failedTextOf, protectedPageNames } from './texts.ts';

const text = {
  name: protectedPageNames.addService,
  title: 'Add a service',
  intro: 'All fields are optional, but a title and a price help customers choose your service.',
  submit: 'Add service',
  sending: 'Adding your service…',
  done: 'Service Add Successfully',
  see: 'See your service',
  failed: `Your service was not added. ${commonText.textInForm}`,
  sentBefore: `You already added this service. ${commonText.onlyFirstSaved}`,
};

const failedText = failedTextOf({ repeated: text.sentBefore, other: text.failed });

const subject = 'service';

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const app = appIn(context);
  const outcome = await submitDraft({
    form,
    schema: addForm(app.origin),
    draft: { storage: app.storage, owner: sessionIn(context).getState().user?.uid ?? '', subject },
    draftOf: ({ idempotencyKey, ...values }) => ({ values, idempotencyKey }),
    send: ({ idempotencyKey, ...service }) => addService(app, service, idempotencyKey),
    toastId: 'add-service',
    texts: { sending: text.sending, done: text.done, failed: failedText },
    linkTo: ({ insertedId }) => ({ label: text.see, path: `/services/${insertedId}` }),
  });
  return 'result' in outcome ? replace(safePath(form.get('origin'))) : outcome;
}

export function Component() {
  return (
    <>
      <PageHead name={text.name} />
      <AddService />
    </>
  );
}

function AddService() {
  const { user } = useSession();
  if (!user) return null;
  return (
    <Page>
      <PageHeader title={text.title} intro={text.intro} />
      <WithDraft owner={user.uid} subject={subject}>
        {(draft) => <AddForm user={user} draft={draft} />}
      </WithDraft>
    </Page>
  );
}

function AddForm({ user, draft }: { user: SessionUser; draft: FormDraft }) {
  const sent = useActionResult<typeof action>();
  const pending = useNavigation().state !== 'idle';
  const { state } = useLocation();
  return (
    <ServiceForm
      does="send"
      initial={emptyService}
      listerName={useSessionActions().getPublishedName() ?? user.displayName}
      hidden={{ origin: originIn(state).to }}
      draft={draft}
      errors={sent?.errors ?? {}}
      failure={
        sent?.failure && (
          <FailureAlert
            {...sent}
            action={
              sent.failure.reason === 'repeated' && (
                <Link to="/services" className="link">
                  {serviceText.seeAll}
                </Link>
              )
            }
          />
        )
      }
      submit={text.submit}
      pending={pending}
    />
  );
}
