import type { WebConfig } from '@rtr/shared';
import { retryOnce } from './retry.ts';

let loading: Promise<WebConfig> | undefined;

/** The settings of this deployment, from `/config.json`: fetched on first need, so that one build serves any of them. */
export function loadConfig(): Promise<WebConfig> {
  loading ??= retryOnce(fetchConfig).catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function fetchConfig(): Promise<WebConfig> {
  const answer = await fetch('/config.json');
  if (!answer.ok) throw new Error(`/config.json answered ${answer.status}`);
  return (await answer.json()) as WebConfig;
}
