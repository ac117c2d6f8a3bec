import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium, type LaunchOptions } from '@playwright/test';
import { commandTimeoutMs } from './processes.ts';

/** A browser to launch, and in a word where it came from. */
export interface Browser {
  from: string;
  launch: LaunchOptions;
}

const finders = {
  'chromium-path': fromVariable,
  installed: fromInstallation,
  playwright: fromPlaywright,
  package: fromPackage,
};

/** Finds Chromium or Chrome in this order; `E2E_BROWSER` forces one of the ways. Throws with what to do when there is none. */
export async function findBrowser(): Promise<Browser> {
  const forced = process.env.E2E_BROWSER;
  const tried: string[] = [];
  for (const [name, find] of Object.entries(finders)) {
    if (forced && forced !== name) continue;
    const found = await find();
    if (typeof found !== 'string') return found;
    tried.push(`${name}: ${found}`);
  }
  if (forced && tried.length === 0)
    throw new Error(`E2E_BROWSER is '${forced}'; it may be ${Object.keys(finders).join(', ')}.`);
  throw new Error(
    [
      'No browser was found to test with. Tried, in this order:',
      ...tried.map((line) => `  - ${line}`),
      'Do one of these, then run the tests again:',
      '  - install Google Chrome or Chromium with your system’s package manager;',
      '  - run `npx playwright install chromium` in packages/dev-stack;',
      '  - set CHROMIUM_PATH to the executable of a Chromium or Chrome.',
    ].join('\n'),
  );
}

async function fromVariable(): Promise<Browser | string> {
  const path = process.env.CHROMIUM_PATH;
  if (!path) return 'CHROMIUM_PATH is not set';
  // Named on purpose: when it does not run, saying so beats taking another.
  const fault = whyNotRun(path);
  if (fault) throw new Error(`CHROMIUM_PATH is '${path}', which does not run: ${fault}`);
  return { from: 'CHROMIUM_PATH', launch: launchOptions(path) };
}

async function fromInstallation(): Promise<Browser | string> {
  const names = ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'chrome'];
  const folders = (process.env.PATH ?? '').split(delimiter);
  const windows = [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA];
  const places = [
    ...names.flatMap((name) => folders.map((folder) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    ...windows.flatMap((folder) => (folder ? [join(folder, 'Google/Chrome/Application/chrome.exe')] : [])),
  ];
  const path = places.find((place) => existsSync(place) && !whyNotRun(place));
  return path
    ? { from: 'installed', launch: launchOptions(path) }
    : 'no Chrome or Chromium on PATH or in its usual places';
}

async function fromPlaywright(): Promise<Browser | string> {
  const path = chromium.executablePath();
  if (!existsSync(path)) return 'Playwright’s own Chromium is not installed';
  const fault = whyNotRun(path);
  return fault
    ? `Playwright’s own Chromium does not run: ${fault}`
    : { from: 'Playwright', launch: launchOptions(path) };
}

/** An npm package brings a compressed Chromium, and the system libraries that a bare machine lacks. */
async function fromPackage(): Promise<Browser | string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return '@sparticuz/chromium is for Linux x64';
  const packaged = await import('@sparticuz/chromium').catch(() => undefined);
  if (!packaged) return '@sparticuz/chromium is not installed';
  const { default: pack, inflate } = packaged;

  // It unpacks to the temporary folder and trusts what lies there, so it gets a folder of ours.
  const folder = fileURLToPath(new URL('../node_modules/.cache/chromium', import.meta.url));
  mkdirSync(folder, { recursive: true });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    let path = await pack.executablePath();
    let environment: Record<string, string> = existsSync('/etc/fonts/fonts.conf')
      ? {}
      : { FONTCONFIG_PATH: join(folder, 'fonts') };
    let fault = whyNotRun(path, environment);
    if (fault?.includes('shared libraries')) {
      await inflate(fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))));
      environment = { ...environment, LD_LIBRARY_PATH: join(folder, 'al2023/lib') };
      fault = whyNotRun(path, environment);
    }
    if (fault) {
      // An interrupted run may have left half a browser.
      rmSync(path, { force: true });
      path = await pack.executablePath();
      fault = whyNotRun(path, environment);
    }
    if (fault) return `@sparticuz/chromium does not run: ${fault}`;
    const launch = { ...launchOptions(path, false), env: { ...process.env, ...environment } };
    return { from: '@sparticuz/chromium', launch };
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}

// Chromium builds two pages for its address bar behind each window, though no window is seen: a third of all its work here.
// Of two lists it takes the last, so the one that Playwright gives is said again.
const featuresOff = `
  AvoidUnnecessaryBeforeUnloadCheckSync DestroyProfileOnBrowserClose HttpsUpgrades HttpsFirstBalancedModeAutoEnable
  LensOverlay MediaRouter PaintHolding ThirdPartyStoragePartitioning AvoidCorsURLLoaderRestartOnRedirect
  TcpPortRandomizationWin OptimizationHints NetworkTimeServiceQuerying AimEnabled PreconnectToSearch
  msForceBrowserSignIn msEdgeUpdateLaunchServicesPreferredVersion
  WebUIOmniboxPopup WebUIOmniboxAimPopup`;

/** Chromium refuses to sandbox for root. */
function launchOptions(executablePath: string, sandboxed = process.getuid?.() !== 0): LaunchOptions {
  const args = [
    '--disable-background-networking',
    '--disable-component-update',
    '--no-first-run',
    `--disable-features=${featuresOff.trim().split(/\s+/).join()}`,
  ];
  return { executablePath, args: sandboxed ? args : [...args, '--no-sandbox'] };
}

/** Undefined when the browser runs. Windows' chrome.exe cannot say its version; there, being a file must do. */
function whyNotRun(path: string, environment: Record<string, string> = {}): string | undefined {
  if (!existsSync(path)) return 'there is no such file';
  if (process.platform === 'win32') return undefined;
  try {
    const said = execFileSync(path, ['--version'], {
      encoding: 'utf8',
      timeout: commandTimeoutMs,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment },
    });
    return /chrom/i.test(said) ? undefined : `it says '${said.trim().slice(0, 100)}'`;
  } catch (error) {
    return error instanceof Error ? error.message.trim().slice(0, 500) : 'it ended with an error';
  }
}
