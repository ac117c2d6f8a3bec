import type { WebConfig } from '@rtr/shared';

/**
 * Fetches the Firebase settings from the server. They are not part of the build, so that all deployments can use the same
 * build.
 */
export async function loadConfig(): Promise<WebConfig> {
  const response = await fetch('/config.json');
  if (!response.ok) throw new Error(`/config.json: status ${response.status}`);
  return (await response.json()) as WebConfig;
}
