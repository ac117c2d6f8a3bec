import type { WebConfig } from '@rtr/shared';
import { retryOnce } from './retry.ts';

/** Fetches the Firebase settings at run time, so that every deployment can use the same build. */
export function loadConfig(): Promise<WebConfig> {
  return retryOnce(async () => {
    const response = await fetch('/config.json');
    if (!response.ok) throw new Error(`/config.json: status ${response.status}`);
    return (await response.json()) as WebConfig;
  });
}
