import { type HiddenContent, limits } from '@rtr/shared';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAccessTokens } from '../../lib/access-token-context.ts';
import { canRetry, type Failure, failureOf } from '../../lib/failure.ts';
import { focusHeadingOnRemoval } from '../../lib/focus.ts';
import { Button } from '../../ui/button.tsx';
import { DraftNote } from '../../ui/draft-note.tsx';
import { FailureAlert, failureText } from '../../ui/failure-alert.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { type FormDraft, WithDraft } from '../../ui/with-draft.tsx';
import { type AppealTarget, sendAppeal } from './write.ts';

const text = {
  ask: 'Ask for another look',
  askAbout: (name: string) => `Ask for another look at ${name}`,
  label: 'Why is this decision wrong?',
  hint: `A moderator reads this text, and decides again. Up to ${limits.reportTextLength} characters.`,
  empty: 'Enter your reason.',
  send: 'Send to the moderators',
  sent: 'You have asked for another look. If a moderator changes this decision, you see it here.',
  failed: 'Your text was not sent. Try again.',
  notSent: 'Your text was not sent.',
};

interface AppealProps {
  target: AppealTarget;
  /** The words for the hidden content, such as 'this review'. */
  name: string;
  decision: HiddenContent;
  uid: string;
}

/** A button with a form, in which the author of hidden content asks moderators for another look, once per decision. */
export function Appeal({ target, name, decision, uid }: AppealProps) {
  const [step, setStep] = useState<'closed' | 'open' | 'sent'>(decision.isAppealed ? 'sent' : 'closed');
  return (
    <>
      <LiveRegion variant="collapsible">{step === 'sent' && <p>{text.sent}</p>}</LiveRegion>
      {step === 'closed' && (
        <button
          type="button"
          aria-label={text.askAbout(name)}
          onClick={() => setStep('open')}
          className="link min-h-12 justify-self-start"
          data-screen-only
        >
          {text.ask}
        </button>
      )}
      {step === 'open' && (
        <WithDraft owner={uid} subject={`appeal ${target.kind} ${target.id} ${target.about}`}>
          {(draft) => <AppealForm target={target} draft={draft} onSent={() => setStep('sent')} />}
        </WithDraft>
      )}
    </>
  );
}

interface AppealFormProps {
  target: AppealTarget;
  draft: FormDraft;
  onSent: () => void;
}

function AppealForm({ target, draft, onSent }: AppealFormProps) {
  const tokens = useAccessTokens();
  const queries = useQueryClient();
  const [failure, setFailure] = useState<Failure>();
  const [isEmpty, setIsEmpty] = useState(false);
  const reasonIn = (form: HTMLFormElement) => String(new FormData(form).get('text')).trim();
  const send = async (form: HTMLFormElement) => {
    const reason = reasonIn(form);
    setIsEmpty(reason === '');
    if (!reason) return form.querySelector('textarea')?.focus();
    try {
      await sendAppeal({ tokens, queries }, target, reason);
      draft.remove();
      onSent();
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  return (
    <Form
      ref={focusField}
      send={send}
      noValidate
      className="grid gap-3 pt-2 text-ink"
      onInput={({ currentTarget }) => draft.save({ text: reasonIn(currentTarget) })}
    >
      <AreaField
        label={text.label}
        hint={text.hint}
        error={isEmpty && text.empty}
        name="text"
        rows={3}
        maxLength={limits.reportTextLength}
        defaultValue={draft.restored?.values.text}
      />
      <DraftNote draft={draft} />
      {failure && (
        <FailureAlert
          failure={failure}
          message={failureText(failure, canRetry(failure) ? text.failed : text.notSent)}
        />
      )}
      <Button ref={focusHeadingOnRemoval} type="submit" tone="quiet" className="justify-self-start">
        {text.send}
      </Button>
    </Form>
  );
}

const focusField = (form: HTMLFormElement | null) => form?.querySelector('textarea')?.focus();
