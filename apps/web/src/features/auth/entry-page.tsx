import { type ReactNode, useState } from 'react';
import { useActionData, useLocation, useNavigation, useSubmit } from 'react-router-dom';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { NeedsScript } from '../../ui/needs-script.tsx';
import { ProgressBars } from '../../ui/page-state.tsx';
import { Scene } from '../../ui/scene.tsx';
import { toast } from '../../ui/toasts.tsx';
import { type Entry, text as entryText, entryToast, useOnwardRedirect } from './entry.ts';
import { GoogleSignIn } from './google-sign-in.tsx';
import { useSession } from './session.ts';
import { signInText } from './sign-in.ts';

const text = {
  googleFailed: 'Google sign-in did not work. Try again, or use email and password.',
  or: 'or',
};

interface EntryPageProps {
  title: string;
  intro: ReactNode;
  picture: string;
  google: string;
  /** The form; `outcome` stands above its button. */
  children: (outcome: ReactNode, pending: boolean) => ReactNode;
  /** What stands under the exact text of a refusal. */
  hint?: (refused: string) => ReactNode;
}

/** Login and sign-up: a form, the Google button, what went wrong, and the way on to where the customer came from. */
export function EntryPage({ title, intro, picture, google, children, hint }: EntryPageProps) {
  const entry = useActionData() as Entry | { errors: object } | undefined;
  const outcome = entry && !('errors' in entry) ? entry : undefined;
  const { user, loading, signingIn, needsLogin } = useSession();
  const signedIn = user !== null && !signingIn && !needsLogin;
  useOnwardRedirect(signedIn);
  const submit = useSubmit();
  const { state } = useLocation();
  const pending = useNavigation().state !== 'idle' || signedIn;
  const [googleRefused, setGoogleRefused] = useState<string | null>(null);

  const [takeToken] = useSingleFlight(() => {
    setGoogleRefused(null);
    return submit({ intent: 'token' }, { method: 'post', state });
  });
  const refuseGoogle = (error: unknown) => {
    const said = signInText(error, text.googleFailed);
    setGoogleRefused(said);
    if (said) toast.error(said, entryToast);
  };
  // A page that opens for a customer who is signed in shows no form; once the form is there, it stays until the redirect.
  const [formShown, setFormShown] = useState(false);
  const showsForm = formShown || signingIn || !(loading || signedIn);
  if (showsForm && !formShown) setFormShown(true);

  const refused = googleRefused ?? (outcome && 'refused' in outcome ? outcome.refused : null);

  if (!showsForm) return <ProgressBars />;
  return (
    <div className="column grid gap-8 py-8 md:py-12 lg:grid-cols-[minmax(0,32.5rem)_minmax(0,1fr)] lg:gap-12">
      <div className="grid max-w-130 content-start gap-6">
        <header className="grid gap-2">
          <h1 className="text-heading">{title}</h1>
          <p className="text-muted">{intro}</p>
        </header>
        <NeedsScript what="form" />
        {children(
          <>
            {!pending && refused && (
              <Alert>
                <p className="font-semibold">{refused}</p>
                {hint?.(refused)}
              </Alert>
            )}
            {outcome && 'noToken' in outcome && (
              <Alert
                action={
                  <Button tone="quiet" pending={pending} onClick={() => void takeToken()}>
                    {entryText.retry}
                  </Button>
                }
              >
                {outcome.noToken}
              </Alert>
            )}
          </>,
          pending,
        )}
        <p className="flex items-center gap-4 text-small text-muted before:tear-line before:flex-1 after:tear-line after:flex-1">
          {text.or}
        </p>
        <GoogleSignIn label={google} onEntered={() => void takeToken()} onFailed={refuseGoogle} />
      </div>
      <Scene
        src={picture}
        width={1152}
        height={480}
        className="hidden h-full max-h-[44rem] w-full rounded-hero object-cover object-right lg:block"
      />
    </div>
  );
}
