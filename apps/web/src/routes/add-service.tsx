import { isWebUrl } from '@rtr/shared';
import { type FormEvent, useRef, useState } from 'react';
import { type ActionFunctionArgs, Link, replace, useLocation, useNavigation } from 'react-router-dom';
import { sessionIn, useSession } from '../features/auth/session-context.ts';
import { ServiceCard } from '../features/services/service-card.tsx';
import { serviceText } from '../features/services/texts.ts';
import { addService, serviceForm } from '../features/services/write.ts';
import { appIn } from '../lib/app.ts';
import { enterText } from '../lib/enter-text.ts';
import type { Failure } from '../lib/failure.ts';
import { originIn, safePath } from '../lib/safe-path.ts';
import { useActionResult } from '../lib/use-action-result.ts';
import { Button } from '../ui/button.tsx';
import { DraftNote } from '../ui/draft-note.tsx';
import { FailureAlert } from '../ui/failure-alert.tsx';
import { AreaField, Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { HiddenFields } from '../ui/hidden-fields.tsx';
import { LeaveGuard } from '../ui/leave-guard.tsx';
import { Page, PageHeader } from '../ui/page.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PictureUpload } from '../ui/picture-upload.tsx';
import { submitDraft } from '../ui/submit-draft.ts';
import { commonText } from '../ui/texts.ts';
import { type FormDraft, WithDraft } from '../ui/with-draft.tsx';
import { routeText } from './texts.ts';

const text = {
  name: 'Add Service',
  title: 'Add a service',
  intro: 'All fields are optional, but a title and a price help customers choose your service.',
  fields: {
    title: 'Title',
    ratting: 'Rating',
    price: 'Price',
    description: 'Description',
  },
  rattingHint:
    'Rate your service in your own words, for example “very good” or “9 out of 10”. We show this as “Lister’s own rating”.',
  priceHint: 'For example, “from $120” or “$95 an hour”.',
  untitled:
    'Without a title, your service is shown as “Untitled service”. Add a title, or press “Add service” again to continue.',
  submit: 'Add service',
  preview: 'Preview',
  sending: 'Adding your service…',
  done: 'Service Add Successfully',
  failed: `Your service was not added. ${commonText.textInForm}`,
  sentBefore: `You already added this service. ${commonText.onlyFirstSaved}`,
};

const subject = 'service';

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await request.formData();
  const app = appIn(context);
  const outcome = await submitDraft({
    form,
    schema: serviceForm,
    draft: { storage: app.storage, owner: sessionIn(context).getState().user?.uid ?? '', subject },
    draftOf: ({ idempotencyKey, ...values }) => ({ values, idempotencyKey }),
    send: ({ idempotencyKey, ...service }) => addService(app, service, idempotencyKey),
    toastId: 'add-service',
    texts: { sending: text.sending, done: text.done, failed: failedText },
  });
  return 'result' in outcome ? replace(safePath(form.get('origin'))) : outcome;
}

function failedText({ reason }: Failure): string {
  if (reason === 'unavailable') return routeText.unavailableForForm;
  return reason === 'repeated' ? text.sentBefore : text.failed;
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
        {(draft) => <AddForm draft={draft} />}
      </WithDraft>
    </Page>
  );
}

const blank = { title: '', ratting: '', img: '', price: '', description: '' };

function AddForm({ draft }: { draft: FormDraft }) {
  const sent = useActionResult<typeof action>();
  const pending = useNavigation().state !== 'idle';
  const { state } = useLocation();
  const start = { ...blank, ...draft.restored?.values };
  const [typed, setTyped] = useState(start);
  const [isWarned, setIsWarned] = useState(false);
  const isUnsent = draft.isSaved !== undefined && Object.values(typed).some(Boolean);
  const title = useRef<HTMLInputElement>(null);
  const picture = useRef<HTMLInputElement>(null);
  const errors = sent?.errors ?? {};

  const capture = (event: FormEvent<HTMLFormElement>) => {
    const { title, ratting, img, price, description } = Object.fromEntries(new FormData(event.currentTarget));
    const values = Object.fromEntries(
      Object.entries({ title, ratting, img, price, description }).map(([name, value]) => [name, String(value)]),
    ) as typeof blank;
    setTyped(values);
    if (event.type === 'input') draft.save(values);
  };
  const warnOnce = (event: FormEvent<HTMLFormElement>) => {
    if (isWarned || new FormData(event.currentTarget).get('title')) return;
    event.preventDefault();
    setIsWarned(true);
    title.current?.focus();
  };

  return (
    <div className="grid gap-8 md:grid-cols-[minmax(0,32.5rem)_minmax(0,22rem)] md:gap-12">
      <Form className="grid content-start gap-4" onInput={capture} onBlur={capture} onSubmit={warnOnce}>
        <HiddenFields values={{ idempotencyKey: draft.idempotencyKey, origin: originIn(state).to }} />
        <Field
          ref={title}
          label={text.fields.title}
          error={errors.title ?? (isWarned && typed.title === '' ? text.untitled : undefined)}
          name="title"
          defaultValue={start.title}
        />
        <Field
          label={text.fields.ratting}
          hint={text.rattingHint}
          error={errors.ratting}
          name="ratting"
          defaultValue={start.ratting}
        />
        <PictureUpload onUploaded={(url) => enterText(picture.current, url)}>
          <Field
            ref={picture}
            label={commonText.pictureUrl}
            hint={commonText.pictureHint('a picture')}
            error={errors.img}
            name="img"
            inputMode="url"
            autoComplete="off"
            defaultValue={start.img}
          />
        </PictureUpload>
        <Field
          label={text.fields.price}
          hint={text.priceHint}
          error={errors.price}
          name="price"
          defaultValue={start.price}
        />
        <AreaField
          label={text.fields.description}
          error={errors.description}
          name="description"
          defaultValue={start.description}
        />
        <DraftNote draft={draft} />
        {isUnsent && !pending && <LeaveGuard isDraftSaved={draft.isSaved === true} />}
        {sent?.failure && (
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
        )}
        <Button type="submit" pending={pending} className="justify-self-start max-sm:w-full">
          {text.submit}
        </Button>
      </Form>
      <section aria-label={text.preview} className="grid content-start gap-3 md:sticky md:top-6 md:self-start">
        <h2 className="text-small text-muted">{text.preview}</h2>
        {/* The card is only a preview, so its links do nothing. */}
        <div inert>
          <ServiceCard
            service={{
              ...typed,
              img: isWebUrl(typed.img) ? typed.img : '',
              _id: '',
              phone: '',
              website: '',
              area: '',
              listerName: '',
              createdAt: '',
              updatedAt: '',
              reviewCount: 0,
              ratingCount: 0,
              averageRating: null,
            }}
          />
        </div>
      </section>
    </div>
  );
}
