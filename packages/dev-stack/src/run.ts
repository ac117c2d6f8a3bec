// Runs one of the API's entries over the local data: in the stack that runs, else in one started for the purpose.
import { join } from 'node:path';
import { root, startNode } from './processes.ts';
import { runningOver } from './running.ts';
import { configuredEnv, readDotenv } from './settings.ts';
import { type ApiEntry, apiEntry, startStack } from './stack.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const [name = '', ...args] = process.argv.slice(2);
const dataFolder = join(root, '.data');

try {
  readDotenv();
  if (!isEntry(name)) throw new Error(`There is no '${name}' to run: it can be migrate, seed or operate.`);
  const running = await runningOver(dataFolder);
  if (running?.env) {
    const { code } = await startNode({ ...apiEntry(name), args, env: running.env, onLine: say }).exited;
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
      for (const line of await stack.run(name, args)) say(line);
    } finally {
      await stack.stop();
    }
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

function isEntry(text: string): text is ApiEntry {
  return text === 'migrate' || text === 'seed' || text === 'operate';
}
