import { useState } from 'react';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { LiveRegion } from '../../ui/live-region.tsx';
import { useSessionActions } from './session-context.ts';
import { signInErrorText } from './sign-in-errors.ts';

const text = {
  open: 'Forgot password?',
  title: 'Set a new password',
  body: 'Enter your email, and we will send you a link to set a new password.',
  email: 'Email',
  send: 'Send the link',
  sent: (email: string) => (
    <>
      If <bdi>{email}</bdi> has an account, a link to set a new password is on its way.
    </>
  ),
  demo: 'Demo: the link is printed in the terminal.',
  failed: 'The link was not sent. Try again in a few minutes.',
};

/** A button that opens a dialog for a forgotten password. `email` returns the email that was typed into the login form. */
export function ForgotPassword({ email }: { email: () => string }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="link justify-self-start" onClick={() => setOpen(true)}>
        {text.open}
      </button>
      {open && <ResetDialog email={email()} onClose={() => setOpen(false)} />}
    </>
  );
}

type Outcome = { sentTo: string; isDemo: boolean } | { failed: string };

function ResetDialog({ email, onClose }: { email: string; onClose: () => void }) {
  const { sendPasswordReset } = useSessionActions();
  const [outcome, setOutcome] = useState<Outcome>();
  const send = async (form: HTMLFormElement) => {
    const address = String(new FormData(form).get('email'));
    try {
      setOutcome({ sentTo: address, ...(await sendPasswordReset(address)) });
    } catch (error) {
      setOutcome({ failed: signInErrorText(error, text.failed) ?? text.failed });
    }
  };
  return (
    <Dialog title={text.title} onClose={onClose}>
      <p className="measure text-muted">{text.body}</p>
      <Form send={send} className="grid gap-4">
        <Field label={text.email} name="email" type="email" autoComplete="email" required defaultValue={email} />
        {outcome && 'failed' in outcome && <Alert>{outcome.failed}</Alert>}
        <LiveRegion variant="collapsible">
          {outcome && 'sentTo' in outcome && (
            <Alert kind="ok">
              <p>{text.sent(outcome.sentTo)}</p>
              {outcome.isDemo && <p className="text-small">{text.demo}</p>}
            </Alert>
          )}
        </LiveRegion>
        <Button type="submit">{text.send}</Button>
      </Form>
    </Dialog>
  );
}
