import type { WebConfig } from '@rtr/shared';
import { retryOnce } from './retry.ts';

/** Fetches the settings of this deployment, so that one build serves every deployment. */
export function loadConfig(): Promise<WebConfig> {
  return retryOnce(async () => {
    const answer = await fetch('/config.json');
    if (!answer.ok) throw new Error(`/config.json answered ${answer.status}`);
    return (await answer.json()) as WebConfig;
  });
}
