// Playwright downloads its browser from a server that not every machine can reach. The npm package @sparticuz/chromium
// contains a compressed headless Chromium for Linux x64, and the system libraries that Chromium needs.
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LaunchOptions } from '@playwright/test';
import { root } from '../processes.ts';

/**
 * Unpacks the browser. Returns its launch options, or the reason why it cannot be used. `whyNotRun` tries to run the
 * browser, and returns the error if this fails.
 */
export async function unpackBrowser(
  whyNotRun: (path: string, env: Record<string, string>) => string | undefined,
): Promise<Pick<LaunchOptions, 'executablePath' | 'env'> | string> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return '@sparticuz/chromium is for Linux x64';
  const module = await import('@sparticuz/chromium').catch(() => undefined);
  if (!module) return '@sparticuz/chromium is not installed';
  const { default: chromium, inflate } = module;

  // @sparticuz/chromium reuses files that it finds in the temporary folder. So let it use a folder that no other
  // program uses.
  const folder = join(root, 'node_modules/.cache/chromium');
  mkdirSync(folder, { recursive: true });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = folder;
  try {
    let executablePath = await chromium.executablePath();
    let env: Record<string, string> = existsSync('/etc/fonts/fonts.conf')
      ? {}
      : { FONTCONFIG_PATH: join(folder, 'fonts') };
    let problem = whyNotRun(executablePath, env);
    if (problem?.includes('shared libraries')) {
      await inflate(fileURLToPath(new URL('../bin/al2023.tar.br', import.meta.resolve('@sparticuz/chromium'))));
      env = { ...env, LD_LIBRARY_PATH: join(folder, 'al2023/lib') };
      problem = whyNotRun(executablePath, env);
    }
    if (problem) {
      // An interrupted run may have unpacked only a part of the browser.
      rmSync(executablePath, { force: true });
      executablePath = await chromium.executablePath();
      problem = whyNotRun(executablePath, env);
    }
    return problem
      ? `@sparticuz/chromium does not run: ${problem}`
      : { executablePath, env: { ...process.env, ...env } };
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
}
