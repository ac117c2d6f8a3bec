import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { isRouteErrorResponse, useLocation, useRevalidator, useRouteError } from 'react-router-dom';
import { ApiError, isPassing, retryDelayMs } from '../lib/api-error.ts';
import { newVersion, reloadIfOutdated } from '../lib/deployment.ts';
import { MissingPart } from '../lib/on-demand.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { PageHead } from '../ui/page-head.tsx';
import { PageState, ProgressBars } from '../ui/page-state.tsx';
import { NotFound } from './not-found.tsx';

const text = {
  name: 'Error',
  partMissing: {
    title: 'This page did not load',
    body: 'The connection may have dropped. What you typed is kept on this device.',
    again: 'No connection. Check your network and try again.',
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
  const { key } = useLocation();
  if (statusOf(error) === 404) return <NotFound />;
  if (error instanceof MissingPart) return <PartMissing key={key} />;
  return <Failed key={key} error={error} />;
}

function Failed({ error }: { error: unknown }) {
  const revalidator = useRevalidator();
  const known = error instanceof ApiError || isPassing(error);
  const retry = () => (known ? void revalidator.revalidate() : location.reload());
  useReturn(() => {
    if (known) retry();
  });
  useRepeatedRetry(isPassing(error) && revalidator.state === 'idle', retry);
  return <Failure {...said(error)} pending={revalidator.state === 'loading'} onRetry={retry} />;
}

/** Only a new page asks for a script again. After a deployment it is loaded by itself; else when the server answers. */
function PartMissing() {
  const [state, setState] = useState<'looking' | 'failed' | 'retrying' | 'failed again'>('looking');
  useEffect(() => {
    void reloadIfOutdated().then((reloads) => reloads || setState('failed'));
  }, []);
  const retry = async () => {
    setState('retrying');
    try {
      await newVersion();
      location.reload();
    } catch {
      setState('failed again');
    }
  };
  useReturn(() => void retry());
  if (state === 'looking') return <ProgressBars />;
  const { title, body, again } = text.partMissing;
  return (
    <Failure
      title={title}
      body={body}
      pending={state === 'retrying'}
      onRetry={() => void retry()}
      outcome={state === 'failed again' ? again : ''}
    />
  );
}

/** Tries again by itself, ever less often, and only while the page is visible. */
function useRepeatedRetry(isActive: boolean, retry: () => void): void {
  const tries = useRef(0);
  const onTime = useEffectEvent(() => {
    if (document.visibilityState === 'hidden') return;
    tries.current += 1;
    retry();
  });
  useEffect(() => {
    if (!isActive) return;
    const timer = setTimeout(onTime, retryDelayMs(tries.current));
    document.addEventListener('visibilitychange', onTime);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onTime);
    };
  }, [isActive]);
}

/** Acts when the network is back. */
function useReturn(act: () => void): void {
  const onReturn = useEffectEvent(act);
  useEffect(() => {
    const online = () => onReturn();
    addEventListener('online', online);
    return () => removeEventListener('online', online);
  }, []);
}

interface FailureProps {
  title: string;
  body: string;
  pending: boolean;
  onRetry(): void;
  /** What came of trying again. */
  outcome?: string;
}

function Failure({ title, body, pending, onRetry, outcome = '' }: FailureProps) {
  return (
    <div className="column py-12">
      <PageHead name={text.name} />
      <PageState
        level={1}
        picture="/pictures/not-found.svg"
        title={title}
        action={
          <div className="flex flex-wrap gap-4">
            <Button pending={pending} onClick={onRetry}>
              {text.retry}
            </Button>
            <ButtonLink tone="quiet" to="/">
              {text.home}
            </ButtonLink>
          </div>
        }
      >
        <p>{body}</p>
        <p role="status" className="font-semibold text-ink">
          {outcome}
        </p>
      </PageState>
    </div>
  );
}

function said(error: unknown): { title: string; body: string } {
  if (statusOf(error) === 429) return { ...text.tooFast, body: text.tooFast.body(retryAfterOf(error)) };
  return isPassing(error) ? text.serverAway : text.broken;
}

export function statusOf(error: unknown): number | undefined {
  if (error instanceof ApiError || isRouteErrorResponse(error)) return error.status;
  return undefined;
}

const retryAfterOf = (error: unknown) => (error instanceof ApiError && error.retryAfter) || 10;
