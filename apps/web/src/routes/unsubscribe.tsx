import { type ActionFunctionArgs, useActionData } from 'react-router-dom';
import { appIn } from '../lib/app.ts';
import { type Failure, failureOf } from '../lib/failure.ts';
import { focusHeadingOnRemoval } from '../lib/focus.ts';
import { Alert } from '../ui/alert.tsx';
import { Button, ButtonLink } from '../ui/button.tsx';
import { failureText } from '../ui/failure-alert.tsx';
import { Form } from '../ui/form.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { NeedsScript } from '../ui/needs-script.tsx';

const text = {
  name: 'Stop emails',
  ask: {
    title: 'Stop emails about news?',
    body: 'You can switch them on again on your account page. Your news stays on the page News.',
    action: 'Stop these emails',
  },
  done: { title: 'The emails are stopped', body: 'We send you no more emails about news.' },
  unknown: {
    title: 'This link does not work',
    body: 'It may be incomplete. Copy the whole link from the email, or switch the emails off on your account page.',
  },
  account: 'See your account',
  failed: 'The emails were not stopped. Try again.',
};

type Outcome = 'done' | 'unknown' | { failure: Failure };

/** Stops the emails. Opening the page does not stop them, because programs that check emails open their links. */
export async function action({ params, context }: ActionFunctionArgs): Promise<Outcome> {
  const { http, queries } = appIn(context);
  try {
    await http('POST /unsubscribe/:key', { params: { key: params.key ?? '' } });
    await queries.invalidateQueries({ queryKey: ['GET /account/emails'] });
    return 'done';
  } catch (error) {
    const failure = failureOf(error);
    return failure.reason === 'missing' ? 'unknown' : { failure };
  }
}

export function Component() {
  const outcome = useActionData<typeof action>();
  const picture = '/pictures/no-review.svg';
  if (outcome === 'done' || outcome === 'unknown')
    return (
      <MessagePage
        name={text.name}
        picture={picture}
        title={text[outcome].title}
        action={
          <ButtonLink tone="quiet" to="/account">
            {text.account}
          </ButtonLink>
        }
      >
        <p>{text[outcome].body}</p>
      </MessagePage>
    );
  return (
    <MessagePage
      name={text.name}
      picture={picture}
      title={text.ask.title}
      action={
        <Form className="grid gap-4">
          <NeedsScript what="form" />
          {outcome && <Alert>{failureText(outcome.failure, text.failed)}</Alert>}
          <Button ref={focusHeadingOnRemoval} type="submit" className="justify-self-center sm:justify-self-start">
            {text.ask.action}
          </Button>
        </Form>
      }
    >
      <p>{text.ask.body}</p>
    </MessagePage>
  );
}
