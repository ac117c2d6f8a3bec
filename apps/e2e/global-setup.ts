import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { findBrowser } from '@rtr/dev-stack/browser';
import { type Stack, startStack } from '@rtr/dev-stack/stack';
import { type Run, variable } from './run.ts';

/** Finds a browser, then starts the whole product: production web build, API, Auth emulator and MongoDB with the seed. */
export default async function setup(): Promise<() => Promise<void>> {
  const browser = await findBrowser();
  process.stdout.write(`Browser: ${browser.launch.executablePath ?? ''} (${browser.from})\n`);
  const jwtSecrets = `e2e:${randomBytes(32).toString('base64')}`;
  const stack = await startStack({
    // Far from the browser's time zone, to show where a page depends on the server's.
    env: { JWT_SECRETS: jwtSecrets, RATE_LIMITS: 'off', TZ: 'America/New_York' },
    say: (line) => process.stdout.write(`${line}\n`),
  });
  const switches = await serveSwitches(stack);
  const run: Run = {
    launch: browser.launch,
    web: stack.addresses.web,
    api: stack.addresses.api,
    authEmulator: stack.addresses.authEmulator ?? '',
    jwtSecrets,
    switches: switches.address,
  };
  process.env[variable] = JSON.stringify(run);
  return async () => {
    switches.close();
    await stack.stop();
  };
}

/** Workers are other processes: they halt and start pieces of the stack by POST /halt/api, /start/api and the like. */
async function serveSwitches({ pieces }: Stack): Promise<{ address: string; close(): void }> {
  const server = createServer((req, res) => {
    const [, action, name] = req.url?.split('/') ?? [];
    const piece = name === 'api' || name === 'mongodb' ? pieces[name] : undefined;
    const turned = action === 'halt' ? piece?.halt() : piece?.start();
    Promise.resolve(turned).then(
      () => res.writeHead(204).end(),
      (error: unknown) => res.writeHead(500).end(String(error)),
    );
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The switches have no address.');
  return { address: `http://127.0.0.1:${address.port}`, close: () => server.close() };
}
