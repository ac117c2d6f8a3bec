import { useEffect, useEffectEvent } from 'react';
import { isRouteErrorResponse, useLocation, useRevalidator, useRouteError } from 'react-router-dom';
import { ApiError, isPassing } from '../lib/api-error.ts';
import { usePageTitle } from '../lib/page-title.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { PageState } from '../ui/page-state.tsx';
import { NotFound } from './not-found.tsx';

const text = {
  name: 'Error',
  partMissing: {
    title: 'This page did not load',
    body: 'The connection may have dropped. What you typed is kept on this device.',
  },
  serverAway: {
    title: 'This page did not load',
    body: 'We cannot reach the kitchen right now. Nothing is lost.',
  },
  tooFast: {
    title: 'This page did not load',
    body: (seconds: number) => `That was quick. Try again in ${seconds} seconds.`,
  },
  broken: {
    title: 'This page broke',
    body: 'The fault is ours, and nothing you saved is lost. Load the page again, or go on from home.',
  },
  retry: 'Retry',
  home: 'Go Back Home',
};

/** When a page fails: what happened by its kind, and one way on. */
export function RouteError() {
  const error = useRouteError();
  if (statusOf(error) === 404) return <NotFound />;
  return <Failure error={error} />;
}

function Failure({ error }: { error: unknown }) {
  usePageTitle(text.name);
  const { key } = useLocation();
  const revalidator = useRevalidator();
  const { title, body } = said(error);
  const known = error instanceof ApiError || isPassing(error);
  // A script that did not arrive is only asked for again by a new page.
  const retry = () => (known ? void revalidator.revalidate() : location.reload());
  const onReturn = useEffectEvent(() => {
    if (known || isMissingScript(error)) retry();
  });
  useEffect(() => {
    const online = () => onReturn();
    addEventListener('online', online);
    return () => removeEventListener('online', online);
  }, []);
  return (
    <div className="column py-12" key={key}>
      <PageState
        level={1}
        picture="/pictures/not-found.svg"
        title={title}
        action={
          <div className="flex flex-wrap gap-4">
            <Button pending={revalidator.state === 'loading'} onClick={retry}>
              {text.retry}
            </Button>
            <ButtonLink tone="quiet" to="/">
              {text.home}
            </ButtonLink>
          </div>
        }
      >
        <p>{body}</p>
      </PageState>
    </div>
  );
}

function said(error: unknown): { title: string; body: string } {
  if (statusOf(error) === 429) return { ...text.tooFast, body: text.tooFast.body(retryAfterOf(error)) };
  if (isPassing(error)) return text.serverAway;
  return isMissingScript(error) ? text.partMissing : text.broken;
}

export function statusOf(error: unknown): number | undefined {
  if (error instanceof ApiError || isRouteErrorResponse(error)) return error.status;
  return undefined;
}

const retryAfterOf = (error: unknown) => (error instanceof ApiError && error.retryAfter) || 10;

/** Each browser words it its own way; all throw a TypeError that speaks of the module. */
function isMissingScript(error: unknown): boolean {
  return error instanceof TypeError && /module|import/i.test(error.message);
}
