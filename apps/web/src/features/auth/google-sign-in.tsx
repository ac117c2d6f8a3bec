import { useEffect, useState } from 'react';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field } from '../../ui/field.tsx';
import { Form } from '../../ui/form.tsx';
import type { DemoAccount } from './firebase.ts';
import { openSession } from './session.ts';
import { logInWithDemoGoogle, logInWithGoogle } from './sign-in.ts';

const text = {
  title: 'Demo: Google sign-in',
  body: 'This is a demo: nothing goes to Google. Pick an account, or use any email.',
  continueAs: (name: string) => `Continue as ${name}`,
  email: 'Another email',
  hint: 'No email is sent to it.',
  continueWithEmail: 'Continue with this email',
};

const demoAccounts = [
  { name: 'Noor Haddad', email: 'noor.haddad@gmail.example', picture: '/pictures/avatar-2.svg' },
  { name: 'Teo Marchetti', email: 'teo.marchetti@gmail.example', picture: '/pictures/avatar-5.svg' },
];

interface GoogleSignInProps {
  label: string;
  /** Somebody is signed in with the provider; the access token is the next step. */
  onEntered: () => void;
  onFailed: (error: unknown) => void;
}

/** The Google button. On the demo's emulator, which stands in for Google, it opens a dialog that says so. */
export function GoogleSignIn({ label, onEntered, onFailed }: GoogleSignInProps) {
  const [choosing, setChoosing] = useState(false);

  // Browsers allow a window only soon after the press: what opens it is loaded before.
  useEffect(() => {
    openSession().catch(() => {});
  }, []);

  const [enter, entering] = useSingleFlight(async (way: () => Promise<void>) => {
    setChoosing(false);
    try {
      await way();
      onEntered();
    } catch (error) {
      onFailed(error);
    }
  });
  const [start, starting] = useSingleFlight(async () => {
    try {
      const { demo } = await openSession();
      if (demo) setChoosing(true);
      else await enter(logInWithGoogle);
    } catch (error) {
      onFailed(error);
    }
  });
  const choose = (account: DemoAccount) =>
    enter(() => logInWithDemoGoogle({ ...account, picture: new URL(account.picture, location.href).href }));
  const chooseEmail = (form: HTMLFormElement) => {
    const email = String(new FormData(form).get('email'));
    return choose({ email, name: email.split('@')[0] ?? email, picture: '/pictures/avatar-6.svg' });
  };

  return (
    <>
      <Button tone="quiet" className="w-full" pending={starting || entering} onClick={() => void start()}>
        <GoogleMark />
        {label}
      </Button>
      {choosing && (
        <Dialog title={text.title} onClose={() => setChoosing(false)}>
          <p className="measure text-muted">{text.body}</p>
          <ul className="grid gap-3">
            {demoAccounts.map((account) => (
              <li key={account.email}>
                <Button tone="quiet" className="w-full justify-start! px-3!" onClick={() => void choose(account)}>
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
      )}
    </>
  );
}

/** Google's mark, in its own four colours, as its terms ask. */
export function GoogleMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 48 48" aria-hidden="true" className="shrink-0">
      <path
        fill="#4285F4"
        d="M45 24.5c0-1.6-.1-3.1-.4-4.5H24v8.5h11.8a10 10 0 0 1-4.4 6.6v5.5h7.1c4.2-3.8 6.5-9.5 6.5-16.1Z"
      />
      <path
        fill="#34A853"
        d="M24 46c5.9 0 10.9-2 14.5-5.4l-7.1-5.5a13.2 13.2 0 0 1-19.7-7H4.4v5.7A22 22 0 0 0 24 46Z"
      />
      <path fill="#FBBC05" d="M11.7 28.100a13.200 13.200 0 0 1 0-8.200v-5.700H4.400a22 22 0 0 0 0 19.700Z" />
      <path
        fill="#EA4335"
        d="M24 10.800c3.200 0 6.100 1.100 8.400 3.300l6.300-6.300A22 22 0 0 0 4.400 14.200l7.300 5.700A13.100 13.100 0 0 1 24 10.800Z"
      />
    </svg>
  );
}
