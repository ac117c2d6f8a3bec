import { type ReactNode, useRef } from 'react';
import type { FormDraft } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { DraftNote } from '../../ui/draft-note.tsx';
import { AreaField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { StarInput } from '../../ui/star-input.tsx';

const text = {
  stars: 'Your rating',
  starsHint: 'Stars are optional.',
  meanings: ['Poor', 'Fair', 'Good', 'Very good', 'Excellent'],
  spoken: (stars: number, word: string) => `${stars} ${stars === 1 ? 'star' : 'stars'}: ${word}`,
  clear: 'Clear stars',
  review: 'Your review',
  prompts: ['What was done?', 'How long did it take?', 'Would you hire them again?'],
};

interface ReviewFormProps {
  /** Read-only fields. */
  fixed: readonly { label: string; name: string; value: string }[];
  /** Hidden fields. */
  hidden?: Record<string, string>;
  initial: { review: string; rating: string };
  draft: FormDraft;
  onStartOver: () => void;
  error?: string | undefined;
  /** The error of the last attempt to send the form. */
  failure: ReactNode;
  submit: string;
  pending: boolean;
}

/** Stars and a text about a service. The draft is stored in this browser until it is sent. */
export function ReviewForm({
  fixed,
  hidden = {},
  initial,
  draft,
  onStartOver,
  error,
  failure,
  submit,
  pending,
}: ReviewFormProps) {
  const form = useRef<HTMLFormElement>(null);
  // Without a delay: a draft that is saved after its review was sent would appear as a new draft.
  const saveDraft = (chosen?: string) => {
    if (!form.current) return;
    const typed = new FormData(form.current);
    // React has not rendered the star that was just chosen, so the form does not contain it yet.
    draft.save({ review: String(typed.get('review')), rating: chosen ?? String(typed.get('rating') ?? '') });
  };
  const start = draft.restored?.values ?? initial;
  return (
    <Form
      ref={form}
      className="grid gap-6"
      onInput={({ target }) => target instanceof HTMLTextAreaElement && saveDraft()}
    >
      {Object.entries({ ...hidden, idempotencyKey: draft.idempotencyKey }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <StarInput
        label={text.stars}
        hint={text.starsHint}
        name="rating"
        initial={start.rating ?? ''}
        meanings={text.meanings}
        spoken={text.spoken}
        clear={text.clear}
        onChange={saveDraft}
      />
      <div className="grid gap-2">
        <AreaField
          label={text.review}
          hint={text.prompts.join(' ')}
          error={error}
          name="review"
          defaultValue={start.review ?? ''}
        />
        <DraftNote draft={draft} onStartOver={onStartOver} />
        {draft.isSaved === false && !pending && <LeaveGuard isDraftSaved={false} />}
      </div>
      <div className="grid gap-4">
        {fixed.map(({ label, name, value }) => (
          <Field key={name} label={label} name={name} value={value} readOnly />
        ))}
      </div>
      {failure}
      <Button type="submit" pending={pending} className="justify-self-start max-sm:w-full">
        {submit}
      </Button>
    </Form>
  );
}
