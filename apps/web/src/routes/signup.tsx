import { limits } from '@rtr/shared';
import { useState } from 'react';
import { type ActionFunctionArgs, Link, useLocation } from 'react-router-dom';
import * as z from 'zod/mini';
import { nameField } from '../features/accounts/name-field.ts';
import { PictureField } from '../features/accounts/picture-field.tsx';
import { sessionIn } from '../features/auth/session-context.ts';
import { signInErrorText } from '../features/auth/sign-in-errors.ts';
import { finishSignIn, type SignInOutcome, signInToast } from '../features/auth/sign-in-flow.ts';
import { SignInPage } from '../features/auth/sign-in-page.tsx';
import { appIn } from '../lib/app.ts';
import { parseForm } from '../lib/form.ts';
import { pictureAddress } from '../lib/picture-address.ts';
import { useActionResult } from '../lib/use-action-result.ts';
import { Button } from '../ui/button.tsx';
import { Field } from '../ui/field.tsx';
import { Form } from '../ui/form.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { toast } from '../ui/toasts.tsx';

const text = {
  name: 'Sign Up',
  title: 'Sign up',
  intro: 'Your name and photo appear next to your reviews.',
  fullName: 'Name',
  email: 'Email',
  emailHint: 'You use it to log in. Other people cannot see it.',
  password: 'Password',
  passwordHint: `At least ${limits.minPasswordLength} characters.`,
  confirm: 'Confirm password',
  submit: 'Sign Up',
  google: 'Sign up with Google',
  haveAccount: 'Already have an account?',
  logIn: 'Login',
  done: 'Registration Successfully',
  used: 'Email Already Used',
  usedHint: 'Log in with this email, or use another one.',
  short: 'Password should be 6 character or more',
  mismatch: 'Your Password did not match',
  profileFailed: 'Your name and photo were not saved. You can add them on your account page.',
};

const signUpForm = (siteOrigin: string) =>
  z.object({
    name: nameField,
    picture: pictureAddress(siteOrigin),
    email: z.string(),
    password: z.string().check(z.minLength(limits.minPasswordLength, { error: text.short })),
    confirm: z.string(),
  });

type Errors = Partial<Record<string, string>>;

export async function action({ request, context }: ActionFunctionArgs): Promise<SignInOutcome | { errors: Errors }> {
  const form = await request.formData();
  const session = sessionIn(context);
  if (form.get('intent') !== 'token') {
    const parsed = parseForm(signUpForm(appIn(context).origin), form);
    const isMismatch = form.get('password') !== form.get('confirm');
    const mismatch = isMismatch ? { confirm: text.mismatch } : {};
    if (!parsed.ok) return showErrors({ ...parsed.errors, ...mismatch });
    if (isMismatch) return showErrors(mismatch);
    try {
      const { profileError } = await session.signUp(parsed.values);
      if (profileError) toast.error(signInErrorText(profileError, text.profileFailed) ?? text.profileFailed);
    } catch (error) {
      const rejection = signInErrorText(error, text.used) ?? text.used;
      toast.error(rejection, signInToast);
      return { rejection };
    }
  }
  return finishSignIn(session, text.done);
}

function showErrors(errors: Errors): { errors: Errors } {
  toast.error(
    Object.values(errors).filter((message) => message !== undefined),
    signInToast,
  );
  return { errors };
}

export function Component() {
  const { state } = useLocation();
  const data = useActionResult<typeof action>();
  const errors: Errors = data && 'errors' in data ? data.errors : {};
  return (
    <>
      <PageHead name={text.name} />
      <SignInPage
        title={text.title}
        intro={text.intro}
        picture="/pictures/hero-install.svg"
        google={text.google}
        hint={(rejection) => rejection === text.used && <p className="text-small">{text.usedHint}</p>}
      >
        {(outcome, pending) => (
          <>
            <Form className="grid gap-4">
              <Field label={text.fullName} error={errors.name} name="name" autoComplete="name" required />
              <PictureField error={errors.picture} required />
              <Field
                label={text.email}
                hint={text.emailHint}
                name="email"
                type="email"
                autoComplete="username"
                inputMode="email"
                required
              />
              <Passwords errors={errors} />
              {outcome}
              <Button type="submit" pending={pending} className="noscript:hidden">
                {text.submit}
              </Button>
            </Form>
            <p>
              {text.haveAccount}{' '}
              <Link to="/login" state={state} className="link">
                {text.logIn}
              </Link>
            </p>
          </>
        )}
      </SignInPage>
    </>
  );
}

/**
 * The fields for the password and its confirmation. If they differ, an error appears when the focus leaves the confirmation,
 * and disappears when they are equal.
 */
function Passwords({ errors }: { errors: Errors }) {
  const [password, setPassword] = useState('');
  const [confirm, setConfirm] = useState('');
  const [wasLeft, setWasLeft] = useState(false);
  const isMismatch = confirm !== password && (wasLeft || errors.confirm !== undefined);
  return (
    <>
      <Field
        label={text.password}
        hint={text.passwordHint}
        error={password.length < limits.minPasswordLength ? errors.password : undefined}
        name="password"
        type="password"
        autoComplete="new-password"
        required
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      {/* Keeps space for the error. Without it, the submit button would move when the error appears, and a click on the
          button could miss it. */}
      <div className="min-h-27">
        <Field
          label={text.confirm}
          error={isMismatch ? text.mismatch : undefined}
          name="confirm"
          type="password"
          autoComplete="new-password"
          value={confirm}
          onChange={(event) => setConfirm(event.target.value)}
          onBlur={() => setWasLeft(confirm !== '')}
        />
      </div>
    </>
  );
}
