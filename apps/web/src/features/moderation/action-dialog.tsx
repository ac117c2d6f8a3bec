import { limits } from '@rtr/shared';
import { useState } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
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
const text = { reason: 'Reason', noReason: 'Enter a reason.' };

interface ActionDialogProps {
  action: keyof typeof texts;
  /** The parts of the content that the moderator can choose from. By default, the first one is chosen. */
  parts: readonly ModeratedPart[];
  /** The reason of an earlier attempt that was not saved, or ''. */
  initialReason: string;
  /** Resolves with an error text if the action failed. */
  onSend: (part: ModeratedPart, reason: string) => Promise<string | undefined>;
  onClose: () => void;
}

/** The dialog in which a moderator gives the reason for hiding or restoring content. */
export function ActionDialog({ action, parts, initialReason, onSend, onClose }: ActionDialogProps) {
  const [errors, setErrors] = useState<{ reason?: string; failure?: string | undefined }>({});
  const { title, part, names, hint, submit } = texts[action];
  const send = async (form: HTMLFormElement) => {
    const values = new FormData(form);
    const reason = String(values.get('reason')).trim();
    if (!reason) {
      setErrors({ reason: text.noReason });
      form.querySelector('textarea')?.focus();
      return;
    }
    const failure = await onSend(String(values.get('part') ?? parts[0]) as ModeratedPart, reason);
    if (failure) setErrors({ failure });
    else onClose();
  };
  return (
    <Dialog title={title} onClose={onClose}>
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
          defaultValue={initialReason}
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
