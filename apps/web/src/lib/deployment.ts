const checkIntervalMs = 600_000;
const checkTimeoutMs = 10_000;
/** The key in `sessionStorage` that stores for which deployed version this tab has reloaded. */
const reloadedForKey = 'rtr-reloaded-for';

/**
 * Returns the deployed version if it differs from the version of this page. A version consists of the names of the entry
 * files, which the build writes into version.json. Throws an error if the request fails.
 */
export async function newVersion(): Promise<string | undefined> {
  const answer = await fetch('/version.json', { cache: 'no-cache', signal: AbortSignal.timeout(checkTimeoutMs) });
  // In development, there is no build and no version.json.
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`/version.json answered ${answer.status}`);
  const { files } = (await answer.json()) as { files: string[] };
  const isOnPage = (file: string) => document.querySelector(`[src="${file}"], [href="${file}"]`) !== null;
  return files.every(isOnPage) ? undefined : files.join();
}

/**
 * Calls `onNewVersion` once for each version that is deployed while this page is open, and again if a script fails to load.
 * The customer may ignore the message: the API also works with the version of this page, and `reloadIfOutdated` handles
 * missing scripts.
 */
export function watchDeployments(onNewVersion: () => void): void {
  let reportedVersion: string | undefined;
  const check = (mayRepeat: boolean) => {
    if (document.visibilityState === 'hidden') return;
    newVersion().then(
      (version) => {
        if (!version || (version === reportedVersion && !mayRepeat)) return;
        reportedVersion = version;
        onNewVersion();
      },
      () => {},
    );
  };
  document.addEventListener('visibilitychange', () => check(false));
  // If a script fails to load, a new deployment may have removed it.
  addEventListener('vite:preloadError', () => check(true));
  setInterval(() => check(false), checkIntervalMs);
}

/**
 * Reloads the page if another version is deployed, because the scripts of this version may have been removed. Reloads only
 * once for each version, so that a broken deployment does not cause endless reloads. Returns whether it reloads.
 */
export async function reloadIfOutdated(): Promise<boolean> {
  try {
    const version = await newVersion();
    if (!version || sessionStorage.getItem(reloadedForKey) === version) return false;
    sessionStorage.setItem(reloadedForKey, version);
    location.reload();
    return true;
  } catch {
    // The request failed, or `sessionStorage` is blocked. Without the storage, the page could reload endlessly.
    return false;
  }
}
