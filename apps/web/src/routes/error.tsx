import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useLocation, useRevalidator, useRouteError } from 'react-router-dom';
import { ApiError, isNotFound, isTemporary } from '../lib/api-error.ts';
import { reloadIfOutdated, reloadIfReachable } from '../lib/deployment.ts';
import { failureOf } from '../lib/failure.ts';
import { MissingPart } from '../lib/on-demand.ts';
import { retryDelayMs } from '../lib/retry.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { LiveRegion } from '../ui/live-region.tsx';
import { MessagePage } from '../ui/message-page.tsx';
import { ProgressBars } from '../ui/page-state.tsx';
import { commonText } from '../ui/texts.ts';
import { NotFound } from './not-found.tsx';
import { routeText } from './texts.ts';

const text = {
  name: 'Error',
  failed: 'This page did not load',
  partMissing: 'The connection may have dropped. What you typed is kept on this device.',
  broken: {
    title: 'Something went wrong on this page',
    body: 'This is our fault, and nothing you saved is lost. Reload the page, or go back to the home page.',
  },
};

const picture = '/pictures/not-found.svg';

/** The error page. Its text and its automatic retries depend on the kind of error. */
export function RouteError() {
  const error = useRouteError();
  const { key } = useLocation();
  if (isNotFound(error)) return <NotFound />;
  if (error instanceof ApiError && error.status === 401) return <SessionEnded />;
  if (error instanceof MissingPart) return <ScriptMissing key={key} />;
  return <Failed key={key} error={error} />;
}

/** The error page for a customer whose access tokens the API rejects. The notice of the layout says why. */
function SessionEnded() {
  const from = useLocation();
  return (
    <MessagePage
      name={text.name}
      picture={picture}
      title={text.failed}
      action={
        <ButtonLink to="/login" state={{ from }}>
          {commonText.logIn}
        </ButtonLink>
      }
    />
  );
}

function Failed({ error }: { error: unknown }) {
  const revalidator = useRevalidator();
  const canRevalidate = error instanceof ApiError || isTemporary(error);
  const retry = () => (canRevalidate ? void revalidator.revalidate() : location.reload());
  useOnline(() => {
    if (canRevalidate) retry();
  });
  useRepeatedRetry(isTemporary(error) && revalidator.state === 'idle', retry);
  return <Failure {...textFor(error)} pending={revalidator.state === 'loading'} onRetry={retry} />;
}

/**
 * The error page for a script that did not load. Only a reload of the page can load the script. The page reloads
 * automatically if a new version was deployed, otherwise when the customer clicks Retry or the browser is online again.
 */
function ScriptMissing() {
  const [state, setState] = useState<'checking' | 'failed' | 'retrying' | 'failed again'>('checking');
  useEffect(() => {
    void reloadIfOutdated().then((reloads) => reloads || setState('failed'));
  }, []);
  const retry = async () => {
    setState('retrying');
    if (!(await reloadIfReachable())) setState('failed again');
  };
  useOnline(() => void retry());
  if (state === 'checking') return <ProgressBars />;
  return (
    <Failure
      title={text.failed}
      body={text.partMissing}
      pending={state === 'retrying'}
      label={commonText.retry}
      onRetry={() => void retry()}
      outcome={state === 'failed again' ? commonText.noConnection : ''}
    />
  );
}

/** While the page is visible, calls `retry` automatically, with increasing delays. */
function useRepeatedRetry(isActive: boolean, retry: () => void): void {
  const attempts = useRef(0);
  const onTime = useEffectEvent(() => {
    if (document.visibilityState === 'hidden') return;
    attempts.current += 1;
    retry();
  });
  useEffect(() => {
    if (!isActive) return;
    const timer = setTimeout(onTime, retryDelayMs(attempts.current));
    document.addEventListener('visibilitychange', onTime);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', onTime);
    };
  }, [isActive]);
}

function useOnline(act: () => void): void {
  const onOnline = useEffectEvent(act);
  useEffect(() => {
    const online = () => onOnline();
    addEventListener('online', online);
    return () => removeEventListener('online', online);
  }, []);
}

interface FailureProps {
  title: string;
  body: string;
  pending: boolean;
  label?: string;
  onRetry(): void;
  outcome?: string;
}

function Failure({ title, body, pending, label = commonText.tryAgain, onRetry, outcome = '' }: FailureProps) {
  return (
    <MessagePage
      name={text.name}
      picture={picture}
      title={title}
      action={
        <div className="flex flex-wrap gap-4">
          <Button pending={pending} onClick={onRetry}>
            {label}
          </Button>
          <ButtonLink tone="quiet" to="/">
            {commonText.goHome}
          </ButtonLink>
        </div>
      }
    >
      <p>{body}</p>
      <LiveRegion className="font-semibold text-ink">{outcome}</LiveRegion>
    </MessagePage>
  );
}

function textFor(error: unknown): { title: string; body: string } {
  if (error instanceof ApiError && error.status === 429)
    return { title: text.failed, body: commonText.tooFast(failureOf(error).waitSeconds) };
  return isTemporary(error) ? { title: text.failed, body: routeText.unavailable } : text.broken;
}
