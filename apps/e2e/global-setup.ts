import { findBrowser } from '@rtr/dev-stack/browser';
import { runVariable } from './run.ts';
import { startTestStack } from './stack.ts';

// Pages live so briefly in these tests that optimized code would not pay off.
const quickStart = '--js-flags=--no-opt --no-maglev';

/** Finds a browser, and starts the product that most tests share. */
export default async function setup(): Promise<() => Promise<void>> {
  const browser = await findBrowser();
  const launch = { ...browser.launch, args: [...(browser.launch.args ?? []), quickStart] };
  process.stdout.write(`Browser: ${launch.executablePath ?? ''} (${browser.from})\n`);
  const { stack, run } = await startTestStack(launch, (line) => void process.stdout.write(`${line}\n`));
  process.env[runVariable] = JSON.stringify(run);
  return stack.stop;
}
