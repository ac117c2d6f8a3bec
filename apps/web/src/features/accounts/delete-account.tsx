import { limits } from '@rtr/shared';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { GoogleMark } from '../../ui/google-mark.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { commonText } from '../../ui/texts.ts';

const text = {
  title: 'Delete your account',
  delete: 'Delete my account',
  again: `You logged in more than ${limits.recentLoginMinutes} minutes ago. To protect your account, log in again before you delete it.`,
  password: 'Password',
};

/**
 * How customers confirm their identity before the deletion: with the password or with Google. Null at the first attempt,
 * which succeeds only if they logged in a short time ago.
 */
export type IdentityProof = { password: string } | 'google' | null;

/**
 * Why the account was not deleted. If `signInMethods` is set, the customer must log in again with one of these methods.
 * Otherwise, `message` says what failed.
 */
export interface DeletionFailure {
  signInMethods?: { password: boolean; google: boolean };
  message?: string | null;
}

interface DeleteAccountProps {
  /**
   * Deletes the account and leaves the page. Resolves with null after success, or with the reason if the deletion failed.
   */
  onDelete: (proof: IdentityProof) => Promise<DeletionFailure | null>;
  /** A text that tells the customer what will be deleted. */
  children: ReactNode;
}

export function DeleteAccount({ onDelete, children }: DeleteAccountProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {children}
      <Button tone="danger" className="justify-self-start" onClick={() => setIsOpen(true)}>
        {text.delete}
      </Button>
      {isOpen && (
        <Confirmation onDelete={onDelete} onClose={() => setIsOpen(false)}>
          {children}
        </Confirmation>
      )}
    </>
  );
}

function Confirmation({ onDelete, onClose, children }: DeleteAccountProps & { onClose: () => void }) {
  const [methods, setMethods] = useState<DeletionFailure['signInMethods']>();
  const [message, setMessage] = useState<string | null>();

  const form = useRef<HTMLFormElement>(null);
  // The focused button may be gone now. So the focus moves to the first sign-in method.
  useEffect(() => {
    if (methods) form.current?.querySelector<HTMLElement>('input, button')?.focus();
  }, [methods]);

  const [remove, pending] = useSingleFlight(async (proof: IdentityProof) => {
    setMessage(null);
    const failure = await onDelete(proof);
    if (failure?.signInMethods) setMethods(failure.signInMethods);
    setMessage(failure?.message);
  });
  const send = (form: HTMLFormElement) => {
    const password = new FormData(form).get('password');
    return remove(typeof password === 'string' ? { password } : null);
  };

  return (
    <Dialog title={text.title} onClose={onClose} isPending={pending}>
      {children}
      <LiveRegion variant="collapsible">{methods && <Alert kind="warn">{text.again}</Alert>}</LiveRegion>
      <Form ref={form} send={send} className="grid gap-4">
        {methods?.password && (
          <Field label={text.password} name="password" type="password" autoComplete="current-password" required />
        )}
        {message && <Alert>{message}</Alert>}
        {(!methods || methods.password) && (
          <Button type="submit" tone="danger" pending={pending}>
            {text.delete}
          </Button>
        )}
        {methods?.google && (
          <Button tone="quiet" pending={pending} onClick={() => void remove('google')}>
            <GoogleMark />
            {commonText.continueWithGoogle}
          </Button>
        )}
      </Form>
    </Dialog>
  );
}
