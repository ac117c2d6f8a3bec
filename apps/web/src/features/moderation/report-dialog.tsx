import { limits } from '@rtr/shared';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useAccessTokens } from '../../lib/access-token-context.ts';
import { canRetry, type Failure, failureOf } from '../../lib/failure.ts';
import { focusHeadingOnRemoval } from '../../lib/focus.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DraftNote } from '../../ui/draft-note.tsx';
import { FailureAlert, failureText } from '../../ui/failure-alert.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { ProgressBars } from '../../ui/page-state.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { type FormDraft, WithDraft } from '../../ui/with-draft.tsx';
import { partNames, reasonNames } from './texts.ts';
import { type ReportTarget, sendReport } from './write.ts';

const text = {
  title: (name: string) => `Report ${name}`,
  intro: 'Only moderators read your report. The author does not see who sent it.',
  repeat: 'If you have already reported this, your new report replaces the earlier one.',
  about: 'What is your report about?',
  reason: 'What is wrong?',
  noReason: 'Choose a reason.',
  details: 'Details (optional)',
  detailsHint: `Up to ${limits.reportTextLength} characters.`,
  send: 'Send report',
  sent: 'Your report is sent. A moderator will read it.',
  replaced: 'Your report is sent. It replaces your earlier report.',
  outcome: 'See the outcome on your account page',
  failed: 'Your report was not sent. Try again.',
  notSent: 'Your report was not sent.',
  missing: 'This is no longer on the site, so your report was not sent.',
};

interface ReportDialogProps {
  target: ReportTarget;
  /** The uid of the customer. Undefined until the session is known. */
  uid: string | undefined;
  onClose: () => void;
}

/** The dialog for a report. If the customer closes it or their session ends, the browser keeps the text as a draft. */
export function ReportDialog({ target, uid, onClose }: ReportDialogProps) {
  const [sent, setSent] = useState<'new' | 'replaced'>();
  return (
    <Dialog title={text.title(target.name)} onClose={onClose}>
      <LiveRegion variant="collapsible">
        {sent && <Alert kind="ok">{sent === 'new' ? text.sent : text.replaced}</Alert>}
      </LiveRegion>
      {sent ? (
        <Link to="/account#reports" className="link justify-self-start">
          {text.outcome}
        </Link>
      ) : (
        <>
          <p className="measure text-muted">
            {text.intro} {text.repeat}
          </p>
          {uid ? (
            <WithDraft owner={uid} subject={`report ${target.kind} ${target.id}`}>
              {(draft) => <ReportForm target={target} draft={draft} onSent={setSent} />}
            </WithDraft>
          ) : (
            <ProgressBars />
          )}
        </>
      )}
    </Dialog>
  );
}

interface ReportFormProps {
  target: ReportTarget;
  draft: FormDraft;
  onSent: (as: 'new' | 'replaced') => void;
}

function ReportForm({ target, draft, onSent }: ReportFormProps) {
  const tokens = useAccessTokens();
  const queries = useQueryClient();
  const [isReasonMissing, setIsReasonMissing] = useState(false);
  const [failure, setFailure] = useState<Failure>();
  const valuesOf = (form: HTMLFormElement) => {
    const values = new FormData(form);
    const value = (name: string) => String(values.get(name) ?? '');
    return { about: value('about') || (target.parts[0] ?? ''), reason: value('reason'), text: value('text') };
  };
  const send = async (form: HTMLFormElement) => {
    try {
      const isReplaced = await sendReport({ tokens, queries }, target, valuesOf(form));
      draft.remove();
      onSent(isReplaced ? 'replaced' : 'new');
    } catch (error) {
      setFailure(failureOf(error));
    }
  };
  const initial = draft.restored?.values ?? {};
  return (
    <Form
      send={send}
      noValidate
      className="grid gap-4"
      // If no reason is chosen, prevents the submission. Otherwise the form would be pending, and Esc would not close the
      // dialog.
      onSubmit={(event) => {
        const isMissing = !valuesOf(event.currentTarget).reason;
        setIsReasonMissing(isMissing);
        if (!isMissing) return;
        event.preventDefault();
        event.currentTarget.querySelector<HTMLInputElement>('[name=reason]')?.focus();
      }}
      onInput={({ currentTarget }) => {
        const values = valuesOf(currentTarget);
        draft.save(values);
        if (values.reason) setIsReasonMissing(false);
      }}
    >
      {target.parts.length > 1 && (
        <RadioGroup
          label={text.about}
          name="about"
          options={target.parts.map((part) => [part, partNames[part]] as const)}
          initial={target.parts.find((part) => part === initial.about) ?? target.parts[0]}
        />
      )}
      <RadioGroup
        label={text.reason}
        name="reason"
        options={Object.entries(reasonNames)}
        initial={initial.reason}
        error={isReasonMissing ? text.noReason : undefined}
      />
      <div className="grid gap-2">
        <AreaField
          label={text.details}
          hint={text.detailsHint}
          name="text"
          rows={3}
          maxLength={limits.reportTextLength}
          defaultValue={initial.text}
        />
        <DraftNote draft={draft} />
      </div>
      {/* On a phone, the form is higher than the window. So the button is sticky, and visible without scrolling. */}
      <div className="sticky bottom-0 -mb-4 grid gap-3 bg-surface py-4 sm:-mb-6 sm:pb-6">
        {failure && <ReportFailure failure={failure} />}
        <Button ref={focusHeadingOnRemoval} type="submit" className="justify-self-start">
          {text.send}
        </Button>
      </div>
    </Form>
  );
}

function ReportFailure({ failure }: { failure: Failure }) {
  if (failure.reason === 'missing') return <Alert>{text.missing}</Alert>;
  return (
    <FailureAlert failure={failure} message={failureText(failure, canRetry(failure) ? text.failed : text.notSent)} />
  );
}
