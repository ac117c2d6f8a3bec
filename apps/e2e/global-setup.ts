import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { findBrowser } from '@rtr/dev-stack/browser';
import { type Stack, startStack } from '@rtr/dev-stack/stack';
import { runVariable, type TestRun } from './run.ts';

/** Finds a browser and starts the production build of the whole product with the demo catalogue. */
export default async function setup(): Promise<() => Promise<void>> {
  const browser = await findBrowser();
  process.stdout.write(`Browser: ${browser.launch.executablePath ?? ''} (${browser.from})\n`);
  const jwtSecrets = `e2e:${randomBytes(32).toString('base64')}`;
  const stack = await startStack({
    // The server and the browser have different time zones, so that a test fails if a page depends on the time zone.
    env: { JWT_SECRETS: jwtSecrets, RATE_LIMITS: 'off', TZ: 'America/New_York' },
    say: (line) => process.stdout.write(`${line}\n`),
  });
  const control = await serveControl(stack);
  const run: TestRun = {
    launch: browser.launch,
    web: stack.addresses.web,
    api: stack.addresses.api,
    authEmulator: stack.addresses.authEmulator ?? '',
    jwtSecrets,
    control: control.address,
  };
  process.env[runVariable] = JSON.stringify(run);
  return async () => {
    control.close();
    await stack.stop();
  };
}

/**
 * Starts an HTTP server that stops and starts processes of the stack on requests such as POST /stop/api and
 * POST /start/mongodb. The tests run in other processes, which cannot stop or start the stack's processes directly.
 */
async function serveControl({ processes }: Stack): Promise<{ address: string; close(): void }> {
  const server = createServer((req, res) => {
    const [, action, name] = req.url?.split('/') ?? [];
    const target = name === 'api' || name === 'mongodb' ? processes[name] : undefined;
    const done = action === 'stop' ? target?.stop() : target?.start();
    Promise.resolve(done).then(
      () => res.writeHead(204).end(),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The control server has no address.');
  return { address: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
