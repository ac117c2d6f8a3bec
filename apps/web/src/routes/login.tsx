import { useRef } from 'react';
import { type ActionFunctionArgs, Link, useLocation } from 'react-router-dom';
import { ForgotPassword } from '../features/auth/forgot-password.tsx';
import { sessionIn } from '../features/auth/session-context.ts';
import { signInErrorText } from '../features/auth/sign-in-errors.ts';
import { finishSignIn, type SignInOutcome, signInToast } from '../features/auth/sign-in-flow.ts';
import { SignInPage } from '../features/auth/sign-in-page.tsx';
import { intentIn } from '../lib/intent.ts';
import { originIn } from '../lib/safe-path.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { commonText } from '../ui/texts.ts';
import { toast } from '../ui/toasts.tsx';

const text = {
  name: 'Login',
  intro: 'Log in to add services and write reviews.',
  /** The reasons for the login, by the beginning of what the visitor wanted to do, or of the address that they opened. */
  reasons: {
    'useful ': 'Log in to mark the review as useful.',
    'report ': 'Log in to send your report.',
    '/review/': 'Log in to write your review.',
    '/editreview/': 'Log in to edit your review.',
    '/addservices': 'Log in to add a service.',
    '/myreview': 'Log in to see your reviews.',
    '/myservices': 'Log in to see your services.',
    '/account': 'Log in to see your account.',
  },
  email: 'Email',
  password: 'Password',
  submit: 'Login',
  noAccount: 'No account yet?',
  signUp: 'Sign Up',
  done: 'Login Successfully',
  wrong: 'Your Email or Password Wrong',
  wrongHint: 'Check both, or set a new password.',
};

export async function action({ request, context }: ActionFunctionArgs): Promise<SignInOutcome> {
  const form = await request.formData();
  const session = sessionIn(context);
  if (form.get('intent') !== 'token') {
    try {
      await session.signInWithPassword(String(form.get('email')), String(form.get('password')));
    } catch (error) {
      const rejection = signInErrorText(error, text.wrong) ?? text.wrong;
      toast.error(rejection, signInToast);
      return { rejection };
    }
  }
  return finishSignIn(session, text.done);
}

/** Returns why the visitor must log in, or undefined if they came without a reason. */
function reasonIn(state: unknown): string | undefined {
  const origin = originIn(state);
  const intent = intentIn(origin.state) ?? origin.to.toLowerCase();
  return Object.entries(text.reasons).find(([start]) => intent.startsWith(start))?.[1];
}

export function Component() {
  const { state } = useLocation();
  const form = useRef<HTMLFormElement>(null);
  const typedEmail = () => (form.current ? String(new FormData(form.current).get('email')) : '');
  return (
    <>
      <PageHead name={text.name} />
      <SignInPage
        title={commonText.logIn}
        intro={reasonIn(state) ?? text.intro}
        picture="/pictures/hero-repair.svg"
        google={commonText.continueWithGoogle}
        hint={(rejection) => rejection === text.wrong && <p className="text-small">{text.wrongHint}</p>}
      >
        {(outcome, pending) => (
          <>
            <Form ref={form} className="grid gap-4">
              <Field label={text.email} name="email" type="email" autoComplete="username" inputMode="email" required />
              <Field label={text.password} name="password" type="password" autoComplete="current-password" required />
              {outcome}
              <Button type="submit" pending={pending} className="noscript:hidden">
                {text.submit}
              </Button>
            </Form>
            <ForgotPassword email={typedEmail} />
            <p>
              {text.noAccount}{' '}
              <Link to="/signup" state={state} className="link">
                {text.signUp}
              </Link>
            </p>
          </>
        )}
      </SignInPage>
    </>
  );
}
