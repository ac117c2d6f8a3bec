import type { OwnService, Service } from '@rtr/shared';
import { useState } from 'react';
import {
  type ActionFunctionArgs,
  Link,
  type LoaderFunctionArgs,
  useLoaderData,
  useNavigation,
  useParams,
} from 'react-router-dom';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import { HiddenNote } from '../features/moderation/hidden-note.tsx';
import { editForm } from '../features/services/forms.ts';
import { editableServiceQuery, ownServiceQuery } from '../features/services/queries.ts';
import { compareServices, ServiceForm, serviceFieldsOf } from '../features/services/service-form.tsx';
import { serviceText } from '../features/services/texts.ts';
import { editService } from '../features/services/write.ts';
import { nullIfNotFound } from '../lib/api-error.ts';
import { type App, appIn } from '../lib/app.ts';
import { readDraft } from '../lib/draft.ts';
import { useStorage } from '../lib/storage-context.ts';
import { useActionResult } from '../lib/use-action-result.ts';
import { useGoBack } from '../lib/use-go-back.ts';
import type { Versioned } from '../lib/version.ts';
import { ButtonLink } from '../ui/button.tsx';
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
  name: protectedPageNames.editService,
  title: 'Edit your service',
  intro:
    'Everyone sees your changes as soon as you save them. Reviews keep the title and price from the day they were written.',
  done: 'Your service is updated.',
  failed: `Your changes were not saved. ${commonText.textInForm}`,
  missing: `This service was withdrawn while you were editing. ${commonText.textInForm}`,
  conflict:
    'This service was changed in another tab or on another device. Compare both versions, and choose one. Your version is still in the form.',
  notLister: 'Only its lister can edit this service.',
  hidden: {
    title: 'This service is hidden',
    body: 'A moderator has hidden this service, so you cannot edit it. You can read the reason on the page My services, and withdraw the service there.',
  },
  notFound: {
    title: 'This service was not found',
    body: 'You may have withdrawn it, or the link may be wrong.',
  },
};

const failedText = failedTextOf({ missing: text.missing, outdated: text.conflict, other: text.failed });

const subjectOf = (id: string) => `edit service ${id}`;

export async function loader({ params: { id = '' }, context }: LoaderFunctionArgs) {
  // Visitors need no data, because the parent route redirects them to the login page.
  if (!(await sessionIn(context).waitForUser())) return null;
  const app = appIn(context);
  const [service, own] = await Promise.all([
    nullIfNotFound(app.queries.ensureQueryData(editableServiceQuery(app.http, id))),
    readOwn(app, id),
  ]);
  return { service, own };
}

const readOwn = ({ http, queries }: App, id: string) =>
  queries.fetchQuery({ ...ownServiceQuery(http, id), staleTime: 0 });

const readCurrent = ({ http, queries }: App, id: string): Promise<Versioned<Service>> =>
  queries.fetchQuery({ ...editableServiceQuery(http, id), staleTime: 0 });

export async function action({ request, params: { id = '' }, context }: ActionFunctionArgs) {
  const app = appIn(context);
  return submitDraft({
    form: await request.formData(),
    schema: editForm(app.origin),
    draft: { storage: app.storage, owner: sessionIn(context).getState().user?.uid ?? '', subject: subjectOf(id) },
    draftOf: ({ idempotencyKey, ...values }) => ({ values, idempotencyKey }),
    send: ({ version, idempotencyKey: _key, ...service }) => editService(app, id, service, version),
    readCurrent: () => readCurrent(app, id),
    toastId: id,
    texts: { sending: commonText.savingChanges, done: text.done, failed: failedText },
  });
}

export function Component() {
  const data = useLoaderData<typeof loader>();
  const { user } = useSession();
  if (!data || !user) return null;
  const { service, own } = data;
  if (!service) return <Missing own={own} uid={user.uid} />;
  const { row } = service;
  if (!own)
    return (
      <MessagePage
        name={text.name}
        picture={messagePicture}
        title={text.notLister}
        action={<ButtonLink to={`/services/${row._id}`}>{routeText.seeService}</ButtonLink>}
      >
        <p>{routeText.readOnServicePage}</p>
      </MessagePage>
    );
  return (
    <Page>
      <PageHead name={text.name} />
      <PageHeader title={text.title} intro={text.intro} />
      <HiddenNote
        target={{ kind: 'service', id: row._id, about: 'picture' }}
        name={serviceText.picture}
        decision={own.removedPicture}
        advice={serviceText.otherPicture}
      />
      <WithDraft owner={user.uid} subject={subjectOf(row._id)}>
        {(draft) => <EditForm loaded={service} draft={draft} />}
      </WithDraft>
    </Page>
  );
}

const messagePicture = '/pictures/placeholder.svg';

function Missing({ own, uid }: { own: OwnService | null; uid: string }) {
  const { title, body } = own ? text.hidden : text.notFound;
  const { id = '' } = useParams();
  const draft = readDraft(useStorage(), uid, subjectOf(id));
  return (
    <MessagePage
      name={own ? text.name : commonText.notFound}
      picture={messagePicture}
      title={title}
      action={<ButtonLink to="/myservices">{serviceText.seeYours}</ButtonLink>}
      below={draft && <UnsavedText fields={serviceFieldsOf(draft.values)} />}
    >
      <p>{body}</p>
    </MessagePage>
  );
}

function EditForm({ loaded, draft }: { loaded: Versioned<Service>; draft: FormDraft }) {
  // After a conflict, the loader runs again and loads another version. The customer edits the version with which the form
  // or its draft began.
  const [opened] = useState(loaded);
  const editedVersion = draft.restored?.values.version || opened.version;
  const sent = useActionResult<typeof action>();
  const isSaved = sent !== undefined && 'result' in sent;
  const rejection = isSaved ? undefined : sent;
  const goBack = useGoBack(isSaved, '/myservices');
  const pending = useNavigation().state !== 'idle' || isSaved;
  const conflict = rejection?.conflict;
  const version = useEditedVersion(editedVersion, conflict);
  return (
    <ServiceForm
      does="save"
      initial={opened.row}
      listerName={opened.row.listerName}
      hidden={{ version }}
      draft={draft}
      draftExtras={{ version: editedVersion }}
      errors={rejection?.errors ?? {}}
      failure={
        conflict ? (
          <EditConflict
            message={text.conflict}
            fields={compareServices(conflict.current.row, conflict.sent)}
            onTakeSaved={draft.startOver}
          />
        ) : (
          rejection?.failure && (
            <FailureAlert
              {...rejection}
              action={
                (rejection.failure.reason === 'missing' || rejection.failure.reason === 'forbidden') && (
                  <Link to="/myservices" className="link">
                    {serviceText.seeYours}
                  </Link>
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
