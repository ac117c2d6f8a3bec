import { isVisible, limits, type ReviewPhoto } from '@rtr/shared';
import { type FormEvent, type ReactNode, useRef, useState } from 'react';
import { readPhotos } from '../../lib/photos.ts';
import { DraftNote } from '../../ui/draft-note.tsx';
import { AreaField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { Icon } from '../../ui/icon.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { PhotoFields } from '../../ui/photo-fields.tsx';
import { Picture } from '../../ui/picture.tsx';
import { StarInput } from '../../ui/star-input.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import type { FormDraft } from '../../ui/with-draft.tsx';

const text = {
  stars: 'Your rating',
  starsHint: 'Stars are optional.',
  meanings: ['Poor', 'Fair', 'Good', 'Very good', 'Excellent'],
  spoken: (stars: number, word: string) => `${stars} ${stars === 1 ? 'star' : 'stars'}: ${word}`,
  clear: 'Clear stars',
  review: 'Your review',
  empty: (submit: string) =>
    `Your review has no text, no stars and no photos. Add something, or press “${submit}” again to continue.`,
  photosHint: `Add up to ${limits.photosPerReview} photos, which everyone can see. You can also drop or paste photos.`,
  leftOut: (names: string) => `Not added: ${names}. A review can have up to ${limits.photosPerReview} photos.`,
  author: 'Your name and email:',
  serviceId: 'Service ID',
  name: 'Name',
  email: 'Email',
  prompts: ['What was done?', 'How long did it take?', 'Would you hire them again?'],
};

interface ReviewFormProps {
  /** The fields of the review that the customer cannot change. */
  author: { customer: string; email: string };
  serviceId?: string;
  hidden?: Record<string, string>;
  /** The initial values, as texts. `photos` is JSON, or undefined if the review has no photos. */
  initial: { review: string; rating: string; photos?: string | undefined };
  draft: FormDraft;
  /** Values that are not part of the review, but are stored with the draft. */
  draftExtras?: Record<string, string>;
  error?: string | undefined;
  /** The message about the last failed attempt to send the form. */
  failure: ReactNode;
  submit: string;
  /** Leaves the form. Without it, there is no button Cancel. */
  onCancel?: () => void;
  /** True if `failure` contains a submit button. The form then shows no other submit button. */
  hasOwnSubmit?: boolean;
  pending: boolean;
}

/**
 * The form for the stars, the text and the photos of a review. Its draft is stored in this browser until the form is sent.
 */
export function ReviewForm({
  author,
  serviceId,
  hidden = {},
  initial,
  draft,
  draftExtras = {},
  error,
  failure,
  submit,
  onCancel,
  hasOwnSubmit = false,
  pending,
}: ReviewFormProps) {
  const form = useRef<HTMLFormElement>(null);
  const [isWarned, setIsWarned] = useState(false);
  // Saves the draft without a delay. A delayed save could run after the review was sent, and would then create a new draft.
  // The caller passes new stars or photos in `chosen`, because React has not yet written them into the form.
  const saveDraft = (chosen: { rating?: string; photos?: string } = {}) => {
    if (!form.current) return;
    setIsWarned(false);
    const typed = new FormData(form.current);
    const photos = typed.get('photos');
    draft.save({
      review: String(typed.get('review')),
      rating: String(typed.get('rating') ?? ''),
      ...(photos !== null && { photos: String(photos) }),
      ...chosen,
      ...draftExtras,
    });
  };
  const warnIfEmpty = (event: FormEvent<HTMLFormElement>) => {
    const typed = new FormData(event.currentTarget);
    const hasPhotos = readPhotos(String(typed.get('photos') ?? '[]')).length > 0;
    if (isWarned || isVisible(String(typed.get('review'))) || typed.get('rating') || hasPhotos) return;
    event.preventDefault();
    setIsWarned(true);
    event.currentTarget.querySelector('textarea')?.focus();
  };
  const start: Partial<typeof initial> = { ...initial, ...draft.restored?.values };
  return (
    <Form
      ref={form}
      className="grid gap-4 md:gap-6"
      onSubmit={warnIfEmpty}
      onInput={({ target }) => target instanceof HTMLTextAreaElement && saveDraft()}
    >
      <HiddenFields values={{ ...hidden, idempotencyKey: draft.idempotencyKey }} />
      <StarInput
        label={text.stars}
        hint={text.starsHint}
        name="rating"
        initial={start.rating ?? ''}
        meanings={text.meanings}
        spoken={text.spoken}
        clear={text.clear}
        onChange={(rating) => saveDraft({ rating })}
      />
      <div className="grid gap-2">
        <AreaField
          label={text.review}
          hint={text.prompts.join(' ')}
          error={error ?? (isWarned ? text.empty(submit) : undefined)}
          name="review"
          defaultValue={start.review ?? ''}
        />
        <DraftNote draft={draft} />
        {draft.isSaved === false && !pending && <LeaveGuard isDraftSaved={false} />}
      </div>
      <PhotoFields<ReviewPhoto>
        store="public"
        max={limits.photosPerReview}
        hint={text.photosHint}
        leftOut={text.leftOut}
        create={(url) => ({ url, alt: '' })}
        keyOf={({ url }) => url}
        render={({ url }) => <Picture src={url} alt="" size="photo" />}
        initial={start.photos}
        onChange={(photos) => saveDraft({ photos })}
      />
      <details className="group min-w-0">
        <summary className="flex min-h-10 items-center gap-2 text-small text-muted">
          <span className="truncate">
            {text.author} <bdi>{author.customer}</bdi>, <bdi>{author.email}</bdi>
          </span>
          <span className="shrink-0 group-open:rotate-180">
            <Icon name="down" size={20} />
          </span>
        </summary>
        <div className="grid gap-4 pt-2">
          {serviceId && <Field label={text.serviceId} name="serviceId" value={serviceId} readOnly />}
          <Field label={text.name} name="customer" value={author.customer} readOnly />
          <Field label={text.email} name="email" value={author.email} readOnly />
        </div>
      </details>
      {failure}
      {!hasOwnSubmit && (
        <SubmitButton pending={pending} onCancel={onCancel}>
          {submit}
        </SubmitButton>
      )}
    </Form>
  );
}
