import { cleanName } from '@rtr/shared';
import { useEffect, useState } from 'react';
import { useFetcher } from 'react-router-dom';
import * as z from 'zod/mini';
import { optionalPictureAddress } from '../../lib/picture-address.ts';
import { useFirstError } from '../../lib/use-action-result.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { DraftNote } from '../../ui/draft-note.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { HiddenFields } from '../../ui/hidden-fields.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { Section } from '../../ui/section.tsx';
import { commonText } from '../../ui/texts.ts';
import { type FormDraft, WithDraft } from '../../ui/with-draft.tsx';
import { nameField } from './name-field.ts';
import { PictureField } from './picture-field.tsx';

const text = {
  title: 'Name and photo',
  usage:
    'Your name and photo appear next to new reviews, and with the next service that you add. Reviews you already wrote keep your old name and photo.',
  name: 'Name',
};

export const profileForm = (siteOrigin: string) =>
  z.object({
    name: nameField,
    picture: optionalPictureAddress(siteOrigin),
  });

/** Error messages by field name. An error of Firebase, the identity provider, belongs to no field and has the key ''. */
export type ProfileErrors = Partial<Record<string, string>>;

interface ProfileFormProps {
  user: { uid: string; email: string; displayName: string; photoURL: string };
}

/** The form for the name and the photo of the customer. It submits to the current route with the intent 'profile'. */
export function ProfileForm({ user }: ProfileFormProps) {
  return (
    <Section title={text.title}>
      <p className="text-muted">{text.usage}</p>
      <WithDraft owner={user.uid} subject="profile">
        {(draft) => <Fields user={user} draft={draft} />}
      </WithDraft>
    </Section>
  );
}

function Fields({ user, draft }: ProfileFormProps & { draft: FormDraft }) {
  const { submit, data } = useFetcher<ProfileErrors>();
  useFirstError(data);
  const errors = data ?? {};
  const saved = { name: user.displayName, picture: user.photoURL };
  const { remove } = draft;
  const [typed, setTyped] = useState({ ...saved, ...draft.restored?.values });
  const differs = ({ name, picture }: typeof saved) => cleanName(name) !== saved.name || picture !== saved.picture;
  const isUnsaved = differs(typed);
  useEffect(() => {
    if (!isUnsaved) remove();
  }, [isUnsaved, remove]);
  const change = (changes: Partial<typeof saved>) => {
    const next = { ...typed, ...changes };
    setTyped(next);
    if (differs(next)) draft.save(next);
    else remove();
  };
  return (
    <Form send={(form) => submit(form)} className="grid gap-4">
      <HiddenFields values={{ intent: 'profile' }} />
      <Field
        label={text.name}
        error={errors.name}
        name="name"
        autoComplete="name"
        required
        value={typed.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <PictureField
        error={errors.picture}
        name={user.displayName || user.email}
        initial={typed.picture}
        onChange={(picture) => change({ picture })}
        canUpload
      />
      <DraftNote draft={draft} does="save" isUnsent={isUnsaved} />
      <LeaveGuard does="save" isDraftSaved={draft.isSaved === true} isOn={isUnsaved && draft.isSaved !== undefined} />
      {errors[''] && <Alert>{errors['']}</Alert>}
      <Button type="submit" className="justify-self-start">
        {commonText.saveChanges}
      </Button>
    </Form>
  );
}
