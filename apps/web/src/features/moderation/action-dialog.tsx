import { limits, type ModerationCase } from '@rtr/shared';
import { useState } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DraftNote } from '../../ui/draft-note.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { type FormDraft, WithDraft } from '../../ui/with-draft.tsx';
import { type ReasonedAction, reasonDraftSubject } from './reason-draft.ts';
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
    'Another moderator has acted on this case, or a new report has arrived, so your decision was not saved. Close this dialog and read the case again under Open or Closed. If the action is still possible, your reason is kept.',
};

export interface ActionDialogContent {
  action: ReasonedAction;
  /**
   * The case as it was when the moderator opened the dialog. A newer version may be loaded while the dialog is open, and the
   * API must reject an action that is based on the older version.
   */
  row: ModerationCase;
  /** The parts of the content that the moderator can choose from. By default, the first one is chosen. */
  parts: readonly ModeratedPart[];
}

interface ActionDialogProps extends ActionDialogContent {
  /** The uid of the moderator. */
  uid: string;
  onAct: SendAction;
  onClose: () => void;
}

/** The dialog in which a moderator gives the reason for hiding or restoring content. The browser keeps it as a draft. */
export function ActionDialog({ uid, ...props }: ActionDialogProps) {
  const { action, row, onClose } = props;
  return (
    <Dialog title={texts[action].title} onClose={onClose}>
      <WithDraft owner={uid} subject={reasonDraftSubject(action, row._id)}>
        {(draft) => <ActionForm {...props} draft={draft} />}
      </WithDraft>
    </Dialog>
  );
}

interface ActionFormProps extends Omit<ActionDialogProps, 'uid'> {
  draft: FormDraft;
}

function ActionForm({ action, row, parts, draft, onAct, onClose }: ActionFormProps) {
  const initial = draft.restored?.values;
  const [hasReason, setHasReason] = useState(Boolean(initial?.reason));
  const [errors, setErrors] = useState<{ reason?: string; failure?: string }>({});
  const { part, names, hint, submit } = texts[action];
  const valuesOf = (form: HTMLFormElement) => {
    const values = new FormData(form);
    return { reason: String(values.get('reason')), part: (values.get('part') ?? parts[0]) as ModeratedPart };
  };
  const send = async (form: HTMLFormElement) => {
    const { reason, part: chosen } = valuesOf(form);
    if (!reason.trim()) {
      setErrors({ reason: text.noReason });
      form.querySelector('textarea')?.focus();
      return;
    }
    const target = chosen === 'replaced pictures' ? ({ part: 'picture', replaced: true } as const) : { part: chosen };
    const failure = await sendAction(onAct, row, { action, reason: reason.trim(), ...target }, text.outdated);
    if (failure) return setErrors({ failure });
    onClose();
  };
  return (
    <Form
      send={send}
      className="grid gap-4"
      onInput={({ currentTarget }) => {
        const values = valuesOf(currentTarget);
        const isGiven = values.reason.trim() !== '';
        setHasReason(isGiven);
        if (isGiven) draft.save(values);
        else draft.remove();
      }}
    >
      {parts.length > 1 && (
        <RadioGroup
          label={part}
          name="part"
          options={parts.map((option) => [option, names[option]] as const)}
          initial={parts.find((option) => option === initial?.part) ?? parts[0]}
        />
      )}
      <div className="grid gap-2">
        <AreaField
          label={text.reason}
          hint={hint}
          error={errors.reason}
          name="reason"
          rows={3}
          defaultValue={initial?.reason}
          maxLength={limits.moderationReasonLength}
        />
        <DraftNote draft={draft} isUnsent={hasReason} />
      </div>
      {errors.failure && <Alert>{errors.failure}</Alert>}
      <Button type="submit" tone={action === 'hide' ? 'danger' : 'quiet'} className="justify-self-start">
        {submit}
      </Button>
    </Form>
  );
}
