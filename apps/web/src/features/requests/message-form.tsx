import { limits, type MessagePhoto } from '@rtr/shared';
import { type ReactNode, useEffect, useRef } from 'react';
import { DraftNote } from '../../ui/draft-note.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { PhotoFields } from '../../ui/photo-fields.tsx';
import { SubmitButton } from '../../ui/submit-button.tsx';
import type { FormDraft } from '../../ui/with-draft.tsx';
import { PrivatePicture } from './private-picture.tsx';

const text = {
  photosHint: `Add up to ${limits.photosPerMessage} photos, which only you and the other person can see. You can also drop or paste photos.`,
  leftOut: (names: string) => `Not added: ${names}. A message can have up to ${limits.photosPerMessage} photos.`,
  newPhoto: 'your photo',
};

interface MessageFormProps {
  label: string;
  hint?: string;
  draft: FormDraft;
  error: string | undefined;
  /** The message about the last failed attempt to send the form. */
  failure: ReactNode;
  submit: string;
  pending: boolean;
  /** Whether the text field gets the focus when the form appears. */
  isFocused?: boolean;
}

/** The form for the text and the photos of a message. Its draft is stored in this browser until the form is sent. */
export function MessageForm({
  label,
  hint,
  draft,
  error,
  failure,
  submit,
  pending,
  isFocused = false,
}: MessageFormProps) {
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (isFocused) form.current?.querySelector('textarea')?.focus({ preventScroll: true });
  }, [isFocused]);
  // Saves the draft without a delay. A delayed save could run after the message was sent, and would then create a new draft.
  // The caller passes new photos in `chosen`, because React has not yet written them into the form.
  const saveDraft = (chosen: { photos?: string } = {}) => {
    if (!form.current) return;
    const typed = new FormData(form.current);
    draft.save({ text: String(typed.get('text')), photos: String(typed.get('photos') ?? '[]'), ...chosen });
  };
  const start = draft.restored?.values;
  return (
    <Form
      ref={form}
      className="grid gap-4 md:gap-6"
      onInput={({ target }) => target instanceof HTMLTextAreaElement && saveDraft()}
    >
      <HiddenFields values={{ idempotencyKey: draft.idempotencyKey }} />
      <div className="grid gap-2">
        <AreaField label={label} hint={hint} error={error} name="text" defaultValue={start?.text ?? ''} />
        <DraftNote draft={draft} />
        {draft.isSaved === false && !pending && <LeaveGuard isDraftSaved={false} />}
      </div>
      <PhotoFields<MessagePhoto>
        store="private"
        max={limits.photosPerMessage}
        hint={text.photosHint}
        leftOut={text.leftOut}
        create={(id) => ({ id, alt: '' })}
        keyOf={({ id }) => id}
        render={({ id }) => <PrivatePicture id={id} alt="" name={text.newPhoto} size="photo" />}
        initial={start?.photos}
        onChange={(photos) => saveDraft({ photos })}
      />
      {failure}
      <SubmitButton pending={pending}>{submit}</SubmitButton>
    </Form>
  );
}
