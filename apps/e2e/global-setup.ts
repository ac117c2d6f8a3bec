import { findBrowser } from '@rtr/dev-stack/browser';
import { runVariable } from './run.ts';
import { startTestStack } from './stack.ts';

/** Finds a browser, and starts the product that most tests share. */
export default async function setup(): Promise<() => Promise<void>> {
  const { launch, from } = await findBrowser();
  process.stdout.write(`Browser: ${launch.executablePath ?? ''} (${from})\n`);
  const { stack, run } = await startTestStack(launch, (line) => void process.stdout.write(`${line}\n`));
  process.env[runVariable] = JSON.stringify(run);
  return stack.stop;
}
