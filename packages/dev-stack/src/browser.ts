import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, type LaunchOptions } from '@playwright/test';
import { unpackBrowser } from './offline/packaged-browser.ts';
import { commandTimeoutMs } from './processes.ts';

export interface Browser {
  /** The source of the browser: for example, 'installed' for a browser of the operating system. */
  from: string;
  launch: LaunchOptions;
}

/**
 * The functions that look for a browser, in the order in which they are called. Each returns a browser, or the reason why it
 * found none. The npm package comes before installed browsers, because it is a headless build. The
 * browser tests took a sixth less time with it.
 */
const finders: Record<string, () => Browser | string | Promise<Browser | string>> = {
  'chromium-path': fromVariable,
  package: fromPackage,
  installed: fromInstallation,
  playwright: fromPlaywright,
};

/**
 * Calls the functions in `finders` until one finds Chromium or Chrome. If the variable E2E_BROWSER contains the name of a
 * finder, calls only this finder. If no browser is found, throws an error that says what to do.
 */
export async function findBrowser(): Promise<Browser> {
  const selected = process.env.E2E_BROWSER;
  if (selected && !finders[selected])
    throw new Error(`E2E_BROWSER must be one of ${Object.keys(finders).join(', ')}, not '${selected}'.`);
  const reasons: string[] = [];
  for (const [name, find] of Object.entries(finders)) {
    if (selected && selected !== name) continue;
    const found = await find();
    if (typeof found !== 'string') return found;
    reasons.push(`  - ${name}: ${found}`);
  }
  throw new Error(
    [
      'No browser was found for the tests. Tried, in this order:',
      ...reasons,
      'Do one of these, then run the tests again:',
      '  - install Google Chrome or Chromium with the package manager of your system;',
      '  - run `npx playwright install chromium` in packages/dev-stack;',
      '  - set CHROMIUM_PATH to the executable of a Chromium or Chrome.',
    ].join('\n'),
  );
}

function fromVariable(): Browser | string {
  const path = process.env.CHROMIUM_PATH;
  if (!path) return 'CHROMIUM_PATH is not set';
  const problem = whyNotRun(path);
  // Report a wrong CHROMIUM_PATH instead of trying another browser.
  if (problem) throw new Error(`The browser at CHROMIUM_PATH, '${path}', does not run: ${problem}`);
  return { from: 'CHROMIUM_PATH', launch: launchOptions(path) };
}

function fromInstallation(): Browser | string {
  const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const windowsFolders = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
  const path = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...windowsFolders.flatMap((folder) => (folder ? [join(folder, 'Google/Chrome/Application/chrome.exe')] : [])),
  ].find((candidate) => !whyNotRun(candidate));
  return path
    ? { from: 'installed', launch: launchOptions(path) }
    : 'no Chrome or Chromium on PATH or in the usual places';
}

function fromPlaywright(): Browser | string {
  const path = chromium.executablePath();
  const problem = whyNotRun(path);
  return problem
    ? `the Chromium of Playwright does not run: ${problem}`
    : { from: 'Playwright', launch: launchOptions(path) };
}

async function fromPackage(): Promise<Browser | string> {
  const found = await unpackBrowser(whyNotRun);
  if (typeof found === 'string') return found;
  return { from: '@sparticuz/chromium', launch: { ...launchOptions('', false), ...found } };
}

// The features that begin with WebUI create two hidden pages for the address bar of each window. In the tests, these pages
// took a third of the CPU time of Chromium. The other features are those that Playwright disables. They are repeated here,
// because Chromium uses only the last `--disable-features` argument.
const disabledFeatures = `
  AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable
  LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect
  TcpPortRandomizationWin OptimizationHints NetworkTimeServiceQuerying AimEnabled PreconnectToSearch
  msForceBrowserSignIn msEdgeUpdateLaunchServicesPreferredVersion
  WebUIOmniboxPopup WebUIOmniboxAimPopup`;

/**
 * Returns the launch options for Playwright. For the user root, the options disable the sandbox, because Chromium would not
 * start otherwise.
 */
function launchOptions(executablePath: string, hasSandbox = process.getuid?.() !== 0): LaunchOptions {
  const args = [
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
    `--disable-features=${disabledFeatures.trim().split(/\s+/).join()}`,
  ];
  return { executablePath, args: hasSandbox ? args : [...args, '--no-sandbox'] };
}

/**
 * Tries to run the browser. Returns the error, or undefined if the browser runs. On Windows, only checks that the file
 * exists, because chrome.exe does not print its version.
 */
function whyNotRun(path: string, env: Record<string, string> = {}): string | undefined {
  if (!existsSync(path)) return 'there is no such file';
  if (process.platform === 'win32') return undefined;
  try {
    const version = execFileSync(path, ['--version'], {
      encoding: 'utf8',
      timeout: commandTimeoutMs,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    return /chrom/i.test(version) ? undefined : `it prints '${version.trim().slice(0, 100)}' as its version`;
  } catch (error) {
    return String(error).trim().slice(0, 500);
  }
}
