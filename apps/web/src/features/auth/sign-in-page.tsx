import { type ReactNode, useState } from 'react';
import { useActionData, useLocation, useNavigation, useSubmit } from 'react-router-dom';
import { useSingleFlight } from '../../lib/use-single-flight.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { NeedsScript } from '../../ui/needs-script.tsx';
import { PageHeader } from '../../ui/page.tsx';
import { ProgressBars } from '../../ui/page-state.tsx';
import { Scene } from '../../ui/scene.tsx';
import { commonText } from '../../ui/texts.ts';
import { toast } from '../../ui/toasts.tsx';
import { GoogleSignIn } from './google-sign-in.tsx';
import { useSession } from './session-context.ts';
import { signInErrorText } from './sign-in-errors.ts';
import { type SignInOutcome, signInToast, useRedirectWhenSignedIn } from './sign-in-flow.ts';

const text = {
  googleFailed: 'Google sign-in did not work. Try again, or use email and password.',
  or: 'or',
};

interface SignInPageProps {
  title: string;
  intro: string;
  picture: string;
  google: string;
  /** Renders the form. `outcome` is the message about the last attempt, which the form shows above its submit button. */
  children: (outcome: ReactNode, pending: boolean) => ReactNode;
  /** Returns a hint for a rejected sign-in. It is shown below the message `rejection`. */
  hint?: (rejection: string) => ReactNode;
}

/**
 * The page for login and for sign-up. It has a form, the Google button, and a message about the last attempt. After the
 * sign-in, it opens the page that the customer came from.
 */
export function SignInPage({ title, intro, picture, google, children, hint }: SignInPageProps) {
  const result = useActionData() as SignInOutcome | { errors: object } | undefined;
  const outcome = result && !('errors' in result) ? result : undefined;
  const { user, loading, signingIn, needsLogin } = useSession();
  const isSignedIn = user !== null && !signingIn && !needsLogin;
  useRedirectWhenSignedIn(isSignedIn);
  const submit = useSubmit();
  const { state } = useLocation();
  const pending = useNavigation().state !== 'idle' || isSignedIn;
  const [googleError, setGoogleError] = useState<string | null>(null);

  const [requestToken] = useSingleFlight(() => {
    setGoogleError(null);
    return submit({ intent: 'token' }, { method: 'post', state });
  });
  const showGoogleError = (error: unknown) => {
    const message = signInErrorText(error, text.googleFailed);
    setGoogleError(message);
    if (message) toast.error(message, signInToast);
  };
  // If the customer is signed in when the page opens, the form is not shown. If the customer signs in with the form, the
  // form stays visible until the redirect.
  const [wasFormShown, setWasFormShown] = useState(false);
  const isFormShown = wasFormShown || signingIn || !(loading || isSignedIn);
  if (isFormShown && !wasFormShown) setWasFormShown(true);

  const rejection = googleError ?? (outcome && 'rejection' in outcome ? outcome.rejection : null);

  if (!isFormShown) return <ProgressBars />;
  return (
    <div className="column grid gap-8 py-8 md:py-12 lg:grid-cols-[minmax(0,32.5rem)_minmax(0,1fr)] lg:gap-12">
      <div className="grid max-w-130 content-start gap-6">
        <PageHeader title={title} intro={intro} />
        <NeedsScript what="form" />
        {children(
          <>
            {!pending && rejection && (
              <Alert>
                <p className="font-semibold">{rejection}</p>
                {hint?.(rejection)}
              </Alert>
            )}
            {outcome && 'tokenFailed' in outcome && (
              <Alert
                action={
                  <Button tone="quiet" pending={pending} onClick={() => void requestToken()}>
                    {commonText.tryAgain}
                  </Button>
                }
              >
                {outcome.tokenFailed}
              </Alert>
            )}
          </>,
          pending,
        )}
        <p className="flex items-center gap-4 text-small text-muted before:tear-line before:flex-1 after:tear-line after:flex-1">
          {text.or}
        </p>
        <GoogleSignIn label={google} onSignedIn={() => void requestToken()} onFailed={showGoogleError} />
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
