import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { GoogleMark } from './google-sign-in.tsx';
import { logInAgainWithGoogle, signInText, type WaysIn } from './sign-in.ts';

const text = {
  title: 'Delete your account',
  delete: 'Delete my account',
  again:
    'Your last login is more than 5 minutes ago. Log in once more, so that nobody does this on a device you left open.',
  password: 'Password',
  google: 'Continue with Google',
  notYou: 'Google did not confirm that it is you. Choose the account you use here, and try again.',
};

/** Why the account stands: the customer has to log in again first, by one of these ways, or something went wrong. */
export interface NotDeleted {
  again?: WaysIn;
  said?: string | null;
}

interface DeleteAccountProps {
  /** Deletes the account and leaves this page. The password is given when one was asked for. */
  onDelete: (password: string | null) => Promise<NotDeleted | null>;
  onClose: () => void;
  /** What will be gone. */
  children: ReactNode;
}

/** Asks once more, and for a new login when the last one is too long ago. */
export function DeleteAccount({ onDelete, onClose, children }: DeleteAccountProps) {
  const [again, setAgain] = useState<WaysIn>();
  const [said, setSaid] = useState<string | null>();

  const form = useRef<HTMLFormElement>(null);
  // The button that was pressed may have gone: the focus goes to the way to log in.
  useEffect(() => {
    if (again) form.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [again]);

  const [remove, pending] = useSingleFlight(async (password: string | null, logInFirst?: () => Promise<void>) => {
    setSaid(null);
    try {
      await logInFirst?.();
    } catch (error) {
      setSaid(signInText(error, text.notYou));
      return;
    }
    const stands = await onDelete(password);
    if (stands?.again) setAgain(stands.again);
    setSaid(stands?.said);
  });
  const send = (form: HTMLFormElement) => {
    const password = new FormData(form).get('password');
    return remove(typeof password === 'string' ? password : null);
  };

  return (
    <Dialog title={text.title} onClose={onClose}>
      {children}
      <div role="status" className="empty:absolute">
        {again && <Alert kind="warn">{text.again}</Alert>}
      </div>
      <Form ref={form} send={send} className="grid gap-4">
        {again?.password && (
          <Field label={text.password} name="password" type="password" autoComplete="current-password" required />
        )}
        {said && <Alert>{said}</Alert>}
        {(!again || again.password) && (
          <Button type="submit" tone="danger" pending={pending}>
            {text.delete}
          </Button>
        )}
        {again?.google && (
          <Button tone="quiet" pending={pending} onClick={() => void remove(null, logInAgainWithGoogle)}>
            <GoogleMark />
            {text.google}
          </Button>
        )}
      </Form>
    </Dialog>
  );
}
