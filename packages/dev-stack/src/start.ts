import { join } from 'node:path';
import { root } from './processes.ts';
import { configuredEnv, portsFrom, readDotenv } from './settings.ts';
import { startStack } from './stack.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const watch = process.argv.includes('--dev');
const ending = new AbortController();
/** Settles when the stack is to end: with why, when something broke. */
const end = Promise.withResolvers<string | undefined>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Asked twice: the children end on their own when this process is gone.
    if (ending.signal.aborted) process.exit(130);
    ending.abort();
    end.resolve(undefined);
  });
}

try {
  readDotenv();
  const stack = await startStack({
    ports: portsFrom(process.env),
    dataFolder: join(root, '.data'),
    mongodbUri: process.env.MONGODB_URI,
    watch,
    env: configuredEnv(process.env),
    say,
    onEmulatorLine: say,
    onEnd: end.resolve,
    signal: ending.signal,
  });
  const { web, api, authEmulator } = stack.addresses;
  say(
    [
      '',
      'RTR Cloud Kitchen is open.',
      '',
      `  Web            ${web}`,
      `  API            ${api}  (every route: ${api}/docs)`,
      ...(authEmulator ? [`  Auth emulator  ${authEmulator}`] : []),
      '',
      ...stack.seeded.map((line) => `  ${line}`),
      ...(authEmulator
        ? ['  Links that set a new password are printed here: put yours in the place of NEW_PASSWORD_HERE.']
        : []),
      `  What each part says is in ${stack.logFolder}. Ctrl-C ends all of them.`,
      '',
    ].join('\n'),
  );
  const broken = await end.promise;
  say(broken === undefined ? '\nStopping…' : `\n${broken}\nAll the rest is stopped too.`);
  await stack.stop();
  process.exitCode = broken === undefined ? 0 : 1;
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = ending.signal.aborted ? 0 : 1;
}
