// Runs an operator command over the local data: with the stack that runs already, or with one that ends afterwards.
import { join } from 'node:path';
import { root, startNode } from './processes.ts';
import { runningOver } from './running.ts';
import { configuredEnv, readDotenv } from './settings.ts';
import { apiEntry, startStack } from './stack.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const args = process.argv.slice(2);
const entry = args[0] === 'seed' || args[0] === 'migrate' ? args[0] : 'operate';
if (entry !== 'operate') args.shift();
const dataFolder = join(root, '.data');

try {
  readDotenv();
  const running = await runningOver(dataFolder);
  if (running?.env) {
    const { code } = await startNode({ ...apiEntry(entry), args, env: running.env, onLine: say }).exited;
    process.exitCode = code ?? 1;
  } else {
    const stack = await startStack({
      dataFolder,
      mongodbUri: process.env.MONGODB_URI,
      serve: false,
      env: configuredEnv(process.env),
      say,
    });
    try {
      for (const line of await stack.run(entry, args)) say(line);
    } finally {
      await stack.stop();
    }
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
