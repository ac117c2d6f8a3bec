import { findBrowser } from '@rtr/dev-stack/browser';
import { runVariable } from './run.ts';
import { startTestStack } from './stack.ts';

// Disables the optimizing compilers of V8. A page is open only briefly in a test, so optimizing its code takes more time
// than it saves.
const noOptimizationArgument = '--js-flags=--no-opt --no-maglev';

/** Finds a browser for all tests. Starts the stack that all tests share, except those in the project "own-stack". */
export default async function setup(): Promise<() => Promise<void>> {
  const browser = await findBrowser();
  const launch = { ...browser.launch, args: [...(browser.launch.args ?? []), noOptimizationArgument] };
  process.stdout.write(`Browser: ${launch.executablePath ?? ''} (${browser.from})\n`);
  const { stack, run } = await startTestStack(launch, (line) => void process.stdout.write(`${line}\n`));
  process.env[runVariable] = JSON.stringify(run);
  return stack.stop;
}
