import { type ReactNode, useRef } from 'react';
import type { DraftInHand } from '../../lib/use-draft.ts';
import { Button } from '../../ui/button.tsx';
import { DraftNote } from '../../ui/draft-note.tsx';
import { AreaField, Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { StarInput } from '../../ui/star-input.tsx';

const text = {
  stars: 'Your stars',
  starsHint: 'Leave them empty to give none.',
  words: ['Poor', 'Fair', 'Good', 'Very good', 'Excellent'],
  spoken: (stars: number, word: string) => `${stars} ${stars === 1 ? 'star' : 'stars'}: ${word}`,
  clear: 'Clear stars',
  review: 'Your review',
  prompts: ['What was done, and how long did it take?', 'Did it hold?', 'Would you call them again?'],
};

interface ReviewFormProps {
  /** What cannot be changed here, but is shown. */
  fixed: readonly { label: string; name: string; value: string }[];
  /** What is sent along unseen. */
  hidden?: Record<string, string>;
  initial: { review: string; rating: string };
  draft: DraftInHand;
  onStartOver: () => void;
  error?: string | undefined;
  /** What went wrong with the last sending. */
  failure: ReactNode;
  submit: string;
  pending: boolean;
}

/** Stars and words about a service. What is typed is kept on this device until it is sent. */
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
  // At once, and never later: a draft that is written after its review was sent would come back as a new one.
  const keep = (chosen?: string) => {
    if (!form.current) return;
    const typed = new FormData(form.current);
    // React has not drawn a star that was chosen this moment, so the form does not hold it yet.
    draft.keep({ review: String(typed.get('review')), rating: chosen ?? String(typed.get('rating') ?? '') });
  };
  const start = draft.found?.values ?? initial;
  return (
    <Form ref={form} className="grid gap-6" onInput={({ target }) => target instanceof HTMLTextAreaElement && keep()}>
      {Object.entries({ ...hidden, idempotencyKey: draft.idempotencyKey }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <StarInput
        label={text.stars}
        hint={text.starsHint}
        name="rating"
        initial={start.rating ?? ''}
        words={text.words}
        spoken={text.spoken}
        clear={text.clear}
        onChange={keep}
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
        {draft.kept === false && !pending && <LeaveGuard kept={false} />}
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
