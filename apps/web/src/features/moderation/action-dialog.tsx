import { limits, type ModerationCase } from '@rtr/shared';
import { useState } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { type SendAction, sendAction } from './send-action.ts';
import { type ModeratedPart, moderatedPartNames } from './texts.ts';

const texts = {
  hide: {
    title: 'Hide content',
    part: 'What do you want to hide?',
    names: moderatedPartNames,
    hint: 'The author can read this reason.',
    submit: 'Hide',
  },
  restore: {
    title: 'Restore content',
    part: 'What do you want to restore?',
    names: { ...moderatedPartNames, picture: 'Current pictures' },
    hint: 'Only moderators and operators can read this reason.',
    submit: 'Restore',
  },
};
const text = {
  reason: 'Reason',
  noReason: 'Enter a reason.',
  outdated:
    'Another moderator has acted on this case, or a new report has arrived, so your decision was not saved. Close this dialog and read the case again under Open or Closed. Your reason is kept on this page.',
};

export interface ActionDialogContent {
  action: keyof typeof texts;
  /**
   * The case as it was when the moderator opened the dialog. A newer version may be loaded while the dialog is open, and the
   * API must reject an action that is based on the older version.
   */
  row: ModerationCase;
  /** The parts of the content that the moderator can choose from. By default, the first one is chosen. */
  parts: readonly ModeratedPart[];
}

interface ActionDialogProps extends ActionDialogContent {
  initialReason: string;
  onAct: SendAction;
  /** `unsentReason` is the typed reason, or '' if the action was saved. */
  onClose: (unsentReason: string) => void;
}

/** The dialog in which a moderator gives the reason for hiding or restoring content. */
export function ActionDialog({ action, row, parts, initialReason, onAct, onClose }: ActionDialogProps) {
  const [reason, setReason] = useState(initialReason);
  const [errors, setErrors] = useState<{ reason?: string; failure?: string }>({});
  const { title, part, names, hint, submit } = texts[action];
  const send = async (form: HTMLFormElement) => {
    if (!reason.trim()) {
      setErrors({ reason: text.noReason });
      form.querySelector('textarea')?.focus();
      return;
    }
    const chosen = (new FormData(form).get('part') ?? parts[0]) as ModeratedPart;
    const target = chosen === 'replaced pictures' ? ({ part: 'picture', replaced: true } as const) : { part: chosen };
    const failure = await sendAction(onAct, row, { action, reason: reason.trim(), ...target }, text.outdated);
    if (failure) setErrors({ failure });
    else onClose('');
  };
  return (
    <Dialog title={title} onClose={() => onClose(reason)}>
      <Form send={send} className="grid gap-4">
        {parts.length > 1 && (
          <RadioGroup
            label={part}
            name="part"
            options={parts.map((option) => [option, names[option]] as const)}
            initial={parts[0]}
          />
        )}
        <AreaField
          label={text.reason}
          hint={hint}
          error={errors.reason}
          name="reason"
          rows={3}
          value={reason}
          onChange={({ target }) => setReason(target.value)}
          maxLength={limits.moderationReasonLength}
        />
        {errors.failure && <Alert>{errors.failure}</Alert>}
        <Button type="submit" tone={action === 'hide' ? 'danger' : 'quiet'} className="justify-self-start">
          {submit}
        </Button>
      </Form>
    </Dialog>
  );
}
