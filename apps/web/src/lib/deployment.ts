/** Milliseconds between two looks for a new version, and how long one may take. */
const pause = 600_000;
const patience = 10_000;
const reloadedFor = 'rtr-reloaded-for';

/**
 * The version deployed now, when it is not this page's: the names of the files that every page starts from, which the
 * build writes into version.json. Throws when the web server does not answer.
 */
export async function newVersion(): Promise<string | undefined> {
  const answer = await fetch('/version.json', { cache: 'no-cache', signal: AbortSignal.timeout(patience) });
  // In development there is no build.
  if (answer.status === 404) return undefined;
  if (!answer.ok) throw new Error(`/version.json answered ${answer.status}`);
  const { files } = (await answer.json()) as { files: string[] };
  const isOnPage = (file: string) => document.querySelector(`[src="${file}"], [href="${file}"]`) !== null;
  return files.every(isOnPage) ? undefined : files.join();
}

/**
 * Calls `tell` once for each version that is deployed while this page is open, and again when a script is missing. It is
 * fine to miss: the API serves both versions, and a page whose script is gone by then loads anew by itself.
 */
export function watchDeployments(tell: () => void): void {
  let told: string | undefined;
  const look = (again: boolean) => {
    if (document.visibilityState === 'hidden') return;
    newVersion().then(
      (version) => {
        if (!version || (version === told && !again)) return;
        told = version;
        tell();
      },
      () => {},
    );
  };
  document.addEventListener('visibilitychange', () => look(false));
  // A script that is not there may have been this version's.
  addEventListener('vite:preloadError', () => look(true));
  setInterval(() => look(false), pause);
}

/**
 * Loads the page anew if another version is deployed: this one's scripts are gone then. Once for each version, so that no
 * fault of a deployment keeps a page reloading. Tells whether it does.
 */
export async function reloadIfOutdated(): Promise<boolean> {
  try {
    const version = await newVersion();
    if (!version || sessionStorage.getItem(reloadedFor) === version) return false;
    sessionStorage.setItem(reloadedFor, version);
    location.reload();
    return true;
  } catch {
    // Nobody answers, or this browser could not remember that it reloaded.
    return false;
  }
}
