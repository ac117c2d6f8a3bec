// Runs an operator command on the local data. If no stack is running, starts one and stops it after the command.
import { join } from 'node:path';
import { stackRunningIn } from './folder-lock.ts';
import { root, startNode } from './processes.ts';
import { configuredEnv, readDotenv } from './settings.ts';
import { apiCommand, startStack } from './stack.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const args = process.argv.slice(2);
const program = args[0] === 'seed' || args[0] === 'migrate' ? args[0] : 'operate';
if (program !== 'operate') args.shift();
const dataFolder = join(root, '.data');

try {
  readDotenv();
  const running = await stackRunningIn(dataFolder);
  if (running?.env) {
    const { code } = await startNode({ ...apiCommand(program), args, env: running.env, onLine: say }).exited;
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
      for (const line of await stack.run(program, args)) say(line);
    } finally {
      await stack.stop();
    }
  }
} catch (error) {
  say(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
