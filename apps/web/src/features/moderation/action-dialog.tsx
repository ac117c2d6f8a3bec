import { limits, type ModerationCase, type ReportedPart } from '@rtr/shared';
import { useState } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { CollapsibleText } from '../../ui/collapsible-text.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { DraftNote } from '../../ui/draft-note.tsx';
import { AreaField } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { Picture } from '../../ui/picture.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { type FormDraft, WithDraft } from '../../ui/with-draft.tsx';
import { partsOf } from './parts.ts';
import { type ReasonedAction, reasonDraftSubject } from './reason-draft.ts';
import { type SendAction, sendAction } from './send-action.ts';
import { partNames } from './texts.ts';

const hintWithoutAuthor = 'Only moderators and operators can read this reason.';

const texts = {
  hide: {
    title: 'Hide content',
    part: 'What do you want to hide?',
    hint: 'The author can read this reason.',
    submit: {
      review: 'Hide the review',
      reply: 'Hide the reply',
      service: 'Hide the service',
      picture: 'Remove the pictures',
      message: 'Hide the message',
    },
  },
  restore: {
    title: 'Restore content',
    part: 'What do you want to restore?',
    hint: hintWithoutAuthor,
    submit: {
      review: 'Restore the review',
      reply: 'Restore the reply',
      service: 'Restore the service',
      picture: 'Allow the pictures again',
      message: 'Restore the message',
    },
  },
};
const text = {
  reason: 'Reason',
  noReason: 'Enter a reason.',
  removal:
    'Pictures are removed for good. You cannot restore them. Nobody can use the same pictures again, until a moderator allows it.',
  lifting: 'The removed pictures do not come back. But their author can use them again.',
  outdated:
    'This case or its content has changed, so your decision was not saved. This is how it is now. Decide again, or close this dialog.',
  content: 'the content',
  nothingLeft: 'There is nothing left to decide here.',
};

export interface ActionDialogContent {
  action: ReasonedAction;
  /**
   * The case as it was when the moderator opened the dialog. A newer version may be loaded while the dialog is open, and the
   * API must reject an action that is based on the older version.
   */
  row: ModerationCase;
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

function ActionForm({ action, row: opened, draft, onAct, onClose }: ActionFormProps) {
  const initial = draft.restored?.values;
  const [row, setRow] = useState(opened);
  const parts = partsOf(row)[action];
  const [chosen, setChosen] = useState(initial?.part);
  const part = parts.find((option) => option === chosen) ?? parts[0];
  const [hasReason, setHasReason] = useState(Boolean(initial?.reason));
  const [errors, setErrors] = useState<{ reason?: string; failure?: string }>({});
  const { part: question, hint, submit } = texts[action];
  const reasonIn = (form: HTMLFormElement) => String(new FormData(form).get('reason'));
  const send = async (form: HTMLFormElement) => {
    const reason = reasonIn(form).trim();
    if (!reason) {
      setErrors({ reason: text.noReason });
      form.querySelector('textarea')?.focus();
      return;
    }
    if (!part) return;
    const result = await sendAction(onAct, row, { action, reason, part }, text.outdated);
    if (!result) return onClose();
    if (result.current) setRow(result.current);
    setErrors({ failure: result.failure });
  };
  return (
    <Form
      send={send}
      className="grid gap-4"
      onInput={({ currentTarget }) => {
        const values = {
          reason: reasonIn(currentTarget),
          part: String(new FormData(currentTarget).get('part') ?? part),
        };
        setChosen(values.part);
        const isGiven = values.reason.trim() !== '';
        setHasReason(isGiven);
        if (isGiven) draft.save(values);
        else draft.remove();
      }}
    >
      <LiveRegion variant="collapsible">{errors.failure && <Alert>{errors.failure}</Alert>}</LiveRegion>
      {parts.length > 1 && (
        <RadioGroup
          key={row.version}
          label={question}
          name="part"
          options={parts.map((option) => [option, partNames[option]] as const)}
          initial={part}
        />
      )}
      {part ? <ContentToDecide row={row} part={part} /> : <p>{text.nothingLeft}</p>}
      {part === 'picture' && <Alert kind="warn">{action === 'hide' ? text.removal : text.lifting}</Alert>}
      <div className="grid gap-2">
        <AreaField
          label={text.reason}
          // The author of a hidden message does not see the reason.
          hint={part === 'message' ? hintWithoutAuthor : hint}
          error={errors.reason}
          name="reason"
          rows={3}
          defaultValue={initial?.reason}
          maxLength={limits.moderationReasonLength}
        />
        <DraftNote draft={draft} isUnsent={hasReason} />
      </div>
      {part && (
        <Button type="submit" tone={action === 'hide' ? 'danger' : 'quiet'} className="justify-self-start">
          {submit[part]}
        </Button>
      )}
    </Form>
  );
}

/** The author and the text or the pictures that the moderator decides about. */
function ContentToDecide({ row: { review, service, message }, part }: { row: ModerationCase; part: ReportedPart }) {
  const reply = part === 'reply' ? review?.reply : undefined;
  const author = reply?.name ?? review?.customer ?? service?.listerName ?? message?.name;
  const content =
    reply?.text ?? review?.review ?? message?.text ?? (service && `${service.title}\n${service.description}`);
  const pictures = review?.photos?.map(({ url }) => url) ?? (service?.img ? [service.img] : []);
  return (
    <div className="grid gap-1 rounded-control border-2 border-line bg-page p-3">
      {author && (
        <p className="font-semibold wrap-anywhere">
          <bdi>{author}</bdi>
        </p>
      )}
      {part === 'picture' ? (
        <div className="flex flex-wrap gap-2">
          {pictures.map((url) => (
            <Picture key={url} src={url} alt="" size="thumbnail" />
          ))}
        </div>
      ) : (
        <CollapsibleText content={content ?? ''} name={text.content} />
      )}
    </div>
  );
}
