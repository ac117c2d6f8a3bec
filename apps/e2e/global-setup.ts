import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import { findBrowser } from '@rtr/dev-stack/browser';
import type { ReceivedEmail } from '@rtr/dev-stack/mail-server';
import { type Stack, startStack } from '@rtr/dev-stack/stack';
import { MongoClient, ObjectId } from 'mongodb';
import { runVariable, type TestRun } from './run.ts';

/** Finds a browser and starts the production build of the whole product with the demo catalogue. */
export default async function setup(): Promise<() => Promise<void>> {
  const browser = await findBrowser();
  process.stdout.write(`Browser: ${browser.launch.executablePath ?? ''} (${browser.from})\n`);
  const jwtSecrets = `e2e:${randomBytes(32).toString('base64')}`;
  const emails: ReceivedEmail[] = [];
  const stack = await startStack({
    // The server and the browser have different time zones, so that a test fails if a page depends on the time zone.
    env: { JWT_SECRETS: jwtSecrets, RATE_LIMITS: 'off', TZ: 'America/New_York' },
    onEmail: (email) => void emails.push(email),
    say: (line) => process.stdout.write(`${line}\n`),
  });
  const control = await serveControl(stack, emails);
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
 * POST /start/mongodb. POST /age/<id of a service> makes the news about its reviews so old that emails about them are due.
 * GET /emails returns the emails that the API has sent. The tests run in other processes, which cannot do this directly.
 */
async function serveControl(
  { processes, mongodbUri }: Stack,
  emails: readonly ReceivedEmail[],
): Promise<{ address: string; close(): void }> {
  const server = createServer((req, res) => {
    const [, action, name = ''] = req.url?.split('/') ?? [];
    if (action === 'emails') {
      res.end(JSON.stringify(emails));
      return;
    }
    const target = name === 'api' || name === 'mongodb' ? processes[name] : undefined;
    const done = action === 'age' ? ageNews(mongodbUri, name) : action === 'stop' ? target?.stop() : target?.start();
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

async function ageNews(mongodbUri: string, serviceId: string): Promise<void> {
  const client = new MongoClient(mongodbUri);
  try {
    const db = client.db('rtr_cloud_kitchen_demo');
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await db
      .collection('reviews')
      .updateMany({ serviceId: new ObjectId(serviceId) }, { $set: { createdAt: minutesAgo(20) } });
    await db
      .collection('inboxes')
      .updateMany(
        { emails: { $exists: true } },
        { $set: { 'emails.sentUntil': minutesAgo(30), 'emails.nextCheckAt': minutesAgo(1) } },
      );
  } finally {
    await client.close();
  }
}
