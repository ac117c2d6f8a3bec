import { join } from 'node:path';
import { root } from './processes.ts';
import { configuredEnv, portsFrom, readDotenv } from './settings.ts';
import { startStack } from './stack.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const stopping = new AbortController();
/** Resolves when the stack must stop. The value is the reason if a process failed, otherwise undefined. */
const end = Promise.withResolvers<string | undefined>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    // Exit immediately at the second signal. parent-watchdog.ts then ends the child processes.
    if (stopping.signal.aborted) process.exit(130);
    stopping.abort();
    end.resolve(undefined);
  });
}

try {
  readDotenv();
  const stack = await startStack({
    ports: portsFrom(process.env),
    dataFolder: join(root, '.data'),
    mongodbUri: process.env.MONGODB_URI,
    watch: process.argv.includes('--dev'),
    env: configuredEnv(process.env),
    say,
    onEmulatorLine: say,
    onEmail: ({ to, subject, text }) => say(`\nEmail to ${to}: ${subject}\n\n${text.replaceAll(/^(?=.)/gm, '  ')}`),
    onExit: end.resolve,
    signal: stopping.signal,
  });
  const { web, api, authEmulator } = stack.addresses;
  say(
    [
      '',
      'RTR Cloud Kitchen is running.',
      '',
      `  Web            ${web}`,
      `  API            ${api}  (documentation: ${api}/docs)`,
      ...(authEmulator ? [`  Auth emulator  ${authEmulator}`] : []),
      '',
      ...stack.seedOutput.map((line) => `  ${line}`),
      ...(authEmulator
        ? [
            '  Links for a new password are printed here. Replace NEW_PASSWORD_HERE in a link with the password.',
            '  Links to verify an address are printed here, too.',
          ]
        : []),
      ...(process.env.SMTP_URL ? [] : ['  Emails about news are printed here, 15 to 20 minutes after the news.']),
      `  The logs are in ${stack.logFolder}. Press Ctrl-C to stop everything.`,
      '',
    ].join('\n'),
  );
  const failure = await end.promise;
  say(failure === undefined ? '\nStopping…' : `\n${failure}\nAll other processes are stopped too.`);
  await stack.stop();
  process.exitCode = failure === undefined ? 0 : 1;
} catch (error) {
  say(`\n${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = stopping.signal.aborted ? 0 : 1;
}
