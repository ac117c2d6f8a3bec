import type { WebConfig } from '@rtr/shared';
import { retryOnce } from './retry.ts';

/** Fetches the Firebase settings at run time, so that every deployment can use the same build. */
export function loadConfig(): Promise<WebConfig> {
  return retryOnce(async () => {
    const answer = await fetch('/config.json');
    if (!answer.ok) throw new Error(`/config.json answered ${answer.status}`);
    return (await answer.json()) as WebConfig;
  });
}
