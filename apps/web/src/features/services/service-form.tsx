import { isVisible, isWebUrl, type ServiceInput } from '@rtr/shared';
import { type FormEvent, type ReactNode, useId, useRef, useState } from 'react';
import { enterText } from '../../lib/enter-text.ts';
import { DraftNote } from '../../ui/draft-note.tsx';
import type { ComparedField } from '../../ui/edit-conflict.tsx';
import { AreaField, Field, SelectField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { Picture } from '../../ui/picture.tsx';
import { PictureUpload } from '../../ui/picture-upload.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import { commonText } from '../../ui/texts.ts';
import type { FormDraft } from '../../ui/with-draft.tsx';
import { ServiceCard } from './service-card.tsx';
import { insuredNames } from './texts.ts';

const labels: Record<keyof ServiceInput, string> = {
  title: 'Title',
  ratting: 'Rating',
  img: commonText.pictureUrl,
  price: 'Price',
  description: 'Description',
  phone: 'Phone',
  website: 'Website',
  area: 'Area',
  hours: 'Opening hours',
  licence: 'Licence',
  insured: 'Insured',
};

const text = {
  rattingHint:
    'Rate your service in your own words, for example “very good” or “9 out of 10”. We show this as “Lister’s own rating”.',
  priceHint: 'For example, “from $120” or “$95 an hour”.',
  untitled: (submit: string) =>
    `Without a title, your service is shown as “Untitled service”. Add a title, or press “${submit}” again to continue.`,
  contact: 'How customers reach you',
  contactHint: 'Everyone can see these details.',
  unreachable: 'Without a phone number or a website, customers have no way to call you.',
  name: (name: string) => (
    <>
      Your name, <bdi>{name}</bdi>, is shown with your service. It links to a page with your photo and your services.
    </>
  ),
  websiteHint: 'For example, https://example.com.',
  areaHint: 'Where you work, for example “Brooklyn and Queens”.',
  facts: 'In your own words',
  factsHint: 'Customers see these details with the note that we have not checked them.',
  hoursHint: 'For example, “Monday to Friday, 8:00 to 18:00”.',
  licenceHint: 'For example, the kind and the number of your licence.',
  preview: 'Preview',
};

const fieldNames = Object.keys(labels) as (keyof ServiceInput)[];

function valuesIn(form: HTMLFormElement): ServiceInput {
  const typed = new FormData(form);
  return Object.fromEntries(fieldNames.map((name) => [name, String(typed.get(name))])) as unknown as ServiceInput;
}

/** Returns each field with its label, its saved value and its value in the form. */
export const compareServices = (saved: ServiceInput, yours: ServiceInput): ComparedField[] =>
  fieldNames.map((name) => ({
    label: labels[name],
    saved: saved[name],
    yours: yours[name],
    ...(name === 'img' && { show: showPicture }),
  }));

function showPicture(src: string, version: string): ReactNode {
  return (
    <div className="grid gap-2">
      <Picture src={src} alt={version} size="photo" />
      <p className="text-small wrap-anywhere">{src}</p>
    </div>
  );
}

/** Returns the fields of a draft with their labels. */
export const serviceFieldsOf = (draft: Partial<Record<string, string>>) =>
  fieldNames.map((name) => ({ label: labels[name], name, value: draft[name] ?? '' }));

interface ServiceFormProps {
  /** 'send' if the form adds a service, 'save' if it edits one. The texts about drafts depend on this. */
  does: 'send' | 'save';
  initial: ServiceInput;
  /** The name of the lister, which is shown with the service. */
  listerName: string;
  hidden: Record<string, string>;
  draft: FormDraft;
  /** Values that are not fields of the service, but are stored with the draft. */
  draftExtras?: Record<string, string>;
  errors: Partial<Record<string, string>>;
  /** The message about the last failed attempt to send the form. */
  failure: ReactNode;
  /** The label of the submit button. */
  submit: string;
  /** Leaves the form. Without it, there is no button Cancel. */
  onCancel?: () => void;
  /** True if `failure` contains a submit button. The form then shows no other submit button. */
  hasOwnSubmit?: boolean;
  pending: boolean;
}

/** The form for the fields of a service, with a preview. Its draft is stored in this browser until the form is sent. */
export function ServiceForm({
  does,
  initial,
  listerName,
  hidden,
  draft,
  draftExtras = {},
  errors,
  failure,
  submit,
  onCancel,
  hasOwnSubmit = false,
  pending,
}: ServiceFormProps) {
  const [start] = useState<ServiceInput>(() => ({ ...initial, ...draft.restored?.values }));
  const [typed, setTyped] = useState(start);
  const [isWarned, setIsWarned] = useState(false);
  const isUnsent = draft.isSaved !== undefined && fieldNames.some((name) => typed[name] !== initial[name]);
  const title = useRef<HTMLInputElement>(null);
  const picture = useRef<HTMLInputElement>(null);

  const capture = (event: FormEvent<HTMLFormElement>) => {
    const values = valuesIn(event.currentTarget);
    setTyped(values);
    if (event.type === 'input') draft.save({ ...values, ...draftExtras });
  };
  const warnOnce = (event: FormEvent<HTMLFormElement>) => {
    if (isWarned || isVisible(valuesIn(event.currentTarget).title)) return;
    event.preventDefault();
    setIsWarned(true);
    title.current?.focus();
  };
  const field = (name: keyof ServiceInput) => ({
    label: labels[name],
    error: errors[name],
    name,
    defaultValue: start[name],
  });

  return (
    <div className="grid gap-8 md:grid-cols-[minmax(0,32.5rem)_minmax(0,22rem)] md:gap-12">
      <Form className="grid content-start gap-4" onInput={capture} onBlur={capture} onSubmit={warnOnce}>
        <HiddenFields values={{ ...hidden, idempotencyKey: draft.idempotencyKey }} />
        <Field
          {...field('title')}
          ref={title}
          error={errors.title ?? (isWarned && !isVisible(typed.title) ? text.untitled(submit) : undefined)}
        />
        <Field {...field('ratting')} hint={text.rattingHint} />
        <PictureUpload
          onUploaded={(url) => enterText(picture.current, url)}
          isUsed={(url) => url === typed.img}
          value={typed.img}
        >
          <Field
            {...field('img')}
            ref={picture}
            hint={commonText.pictureHint('a picture')}
            inputMode="url"
            autoComplete="off"
          />
        </PictureUpload>
        <Field {...field('price')} hint={text.priceHint} />
        <AreaField {...field('description')} />
        <FieldGroup
          legend={text.contact}
          hint={
            <>
              <p>
                {text.contactHint} {listerName && text.name(listerName)}
              </p>
              {!typed.phone && !typed.website && <p>{text.unreachable}</p>}
            </>
          }
        >
          <Field {...field('phone')} inputMode="tel" autoComplete="tel" />
          <Field {...field('website')} hint={text.websiteHint} inputMode="url" autoComplete="url" />
          <Field {...field('area')} hint={text.areaHint} />
        </FieldGroup>
        <FieldGroup legend={text.facts} hint={text.factsHint}>
          <Field {...field('hours')} hint={text.hoursHint} />
          <Field {...field('licence')} hint={text.licenceHint} />
          <SelectField {...field('insured')} options={insuredNames} />
        </FieldGroup>
        <DraftNote draft={draft} does={does} />
        <LeaveGuard does={does} isDraftSaved={draft.isSaved === true} isOn={isUnsent && !pending} />
        {failure}
        {!hasOwnSubmit && (
          <SubmitButton pending={pending} onCancel={onCancel}>
            {submit}
          </SubmitButton>
        )}
      </Form>
      <section aria-label={text.preview} className="grid content-start gap-3 md:sticky md:top-6 md:self-start">
        <h2 className="text-small text-muted">{text.preview}</h2>
        {/* The preview is inert, so its links do nothing. */}
        <div inert>
          <ServiceCard
            service={{
              ...typed,
              img: isWebUrl(typed.img) ? typed.img : '',
              _id: '',
              ratingCount: 0,
              averageRating: null,
            }}
          />
        </div>
      </section>
    </div>
  );
}

function FieldGroup({ legend, hint, children }: { legend: string; hint: ReactNode; children: ReactNode }) {
  const hintId = useId();
  return (
    <fieldset aria-describedby={hintId} className="tear-line mt-2 grid gap-4 pt-4">
      <legend className="sr-only">{legend}</legend>
      <div className="grid gap-1">
        <p aria-hidden="true" className="text-title">
          {legend}
        </p>
        <div id={hintId} className="text-small wrap-anywhere text-muted">
          {hint}
        </div>
      </div>
      {children}
    </fieldset>
  );
}
