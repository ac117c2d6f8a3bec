import { useEffect, useState } from 'react';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import { GoogleMark } from '../../ui/google-mark.tsx';
import type { DemoAccount } from './firebase.ts';
import type { Session } from './session.ts';
import { useBrowserSession } from './session-context.ts';

const text = {
  title: 'Demo: Google sign-in',
  body: 'This is a demo, so nothing is sent to Google. Choose an account, or enter any email.',
  continueAs: (name: string) => `Continue as ${name}`,
  email: 'Use another email',
  hint: 'We do not send any email to this address.',
  continueWithEmail: 'Continue with this email',
};

const demoAccounts = [
  { name: 'Noor Haddad', email: 'noor.haddad@gmail.example', picture: '/pictures/avatar-2.svg' },
  { name: 'Teo Marchetti', email: 'teo.marchetti@gmail.example', picture: '/pictures/avatar-5.svg' },
];

interface GoogleSignInProps {
  label: string;
  /** Called when Firebase has signed the customer in. There is no access token of the API yet. */
  onSignedIn: () => void;
  onFailed: (error: unknown) => void;
}

/**
 * The button for signing in with Google. In the demonstration, it opens a dialog with demo accounts, because the Auth
 * emulator replaces Google.
 */
export function GoogleSignIn({ label, onSignedIn, onFailed }: GoogleSignInProps) {
  const session = useBrowserSession();
  const [choosing, setChoosing] = useState(false);

  // Loads Firebase before the click, because browsers block a popup that does not open immediately after a click.
  useEffect(() => {
    session?.openProvider().catch(() => {});
  }, [session]);

  const [signIn, signingIn] = useSingleFlight(async (attempt: () => Promise<void>) => {
    setChoosing(false);
    try {
      await attempt();
      onSignedIn();
    } catch (error) {
      onFailed(error);
    }
  });
  const [start, starting] = useSingleFlight(async ({ openProvider, signInWithGoogle }: Session) => {
    try {
      const { isDemo } = await openProvider();
      if (isDemo) setChoosing(true);
      else await signIn(signInWithGoogle);
    } catch (error) {
      onFailed(error);
    }
  });

  return (
    <>
      <Button
        tone="quiet"
        className="w-full noscript:hidden"
        pending={starting || signingIn}
        onClick={() => {
          if (session) void start(session);
        }}
      >
        <GoogleMark />
        {label}
      </Button>
      {session && choosing && (
        <DemoAccounts
          onChoose={(account) => void signIn(() => session.signInWithDemoGoogle(account))}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  );
}

function DemoAccounts({ onChoose, onClose }: { onChoose: (account: DemoAccount) => void; onClose: () => void }) {
  const choose = (account: DemoAccount) =>
    onChoose({ ...account, picture: new URL(account.picture, location.href).href });
  const chooseEmail = async (form: HTMLFormElement) => {
    const email = String(new FormData(form).get('email'));
    choose({ email, name: email.split('@')[0] ?? email, picture: '/pictures/avatar-6.svg' });
  };
  return (
    <Dialog title={text.title} onClose={onClose}>
      <p className="measure text-muted">{text.body}</p>
      <ul className="grid gap-3">
        {demoAccounts.map((account) => (
          <li key={account.email}>
            <Button tone="quiet" className="w-full justify-start px-3" onClick={() => choose(account)}>
              <Avatar src={account.picture} name={account.name} />
              <span className="grid min-w-0 text-left">
                <span>{text.continueAs(account.name)}</span>
                <span className="truncate text-small font-normal text-muted">{account.email}</span>
              </span>
            </Button>
          </li>
        ))}
      </ul>
      <Form send={chooseEmail} className="tear-line grid gap-4 pt-4">
        <Field label={text.email} hint={text.hint} name="email" type="email" autoComplete="email" required />
        <Button type="submit">{text.continueWithEmail}</Button>
      </Form>
    </Dialog>
  );
}
