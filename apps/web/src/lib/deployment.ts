const checkIntervalMs = 600_000;
const checkTimeoutMs = 10_000;
/** The `sessionStorage` key that contains the last version for which this tab was reloaded. */
const reloadedForKey = 'rtr-reloaded-for';

/**
 * Returns the deployed version, or undefined if it is the version of this page. A version consists of the names of the entry
 * files, as version.json lists them. Throws an error if the request fails.
 */
async function newVersion(): Promise<string | undefined> {
  const response = await fetch('/version.json', { cache: 'no-cache', signal: AbortSignal.timeout(checkTimeoutMs) });
  // Development has no build, and so no version.json.
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`/version.json: status ${response.status}`);
  const { files } = (await response.json()) as { files: string[] };
  const isOnPage = (file: string) => document.querySelector(`[src="${file}"], [href="${file}"]`) !== null;
  return files.every(isOnPage) ? undefined : files.join();
}

/**
 * Reloads the page if the server responds. Otherwise returns false, because the error page of the browser would replace the
 * page.
 */
export async function reloadIfReachable(): Promise<boolean> {
  try {
    await newVersion();
  } catch {
    return false;
  }
  location.reload();
  return true;
}

/**
 * Calls `onNewVersion` once for each version that is deployed while this page is open. If a script fails to load, calls it
 * again for the same version. The customer need not reload the page: the API still supports the version of the page, and
 * `reloadIfOutdated` handles missing scripts.
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
  // A script may fail to load because a new deployment has removed it.
  addEventListener('vite:preloadError', () => check(true));
  setInterval(() => check(false), checkIntervalMs);
}

/**
 * Reloads the page if another version is deployed, because its scripts may not exist any more. Reloads only once for each
 * version, because a broken deployment would otherwise cause endless reloads. Returns true if the page is reloaded.
 */
export async function reloadIfOutdated(): Promise<boolean> {
  try {
    const version = await newVersion();
    if (!version || sessionStorage.getItem(reloadedForKey) === version) return false;
    sessionStorage.setItem(reloadedForKey, version);
    location.reload();
    return true;
  } catch {
    // If the request for version.json failed, or if `sessionStorage` is blocked, the page is not reloaded. Without
    // `sessionStorage`, the app would not know that it has already reloaded the page, and could reload it endlessly.
    return false;
  }
}
