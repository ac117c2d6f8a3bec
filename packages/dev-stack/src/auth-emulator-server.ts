// The Auth emulator of firebase-tools alone: without its hub, its logging server, its update checks and its network calls.
// Named a file, it keeps the accounts there; named a host, it listens there, else on this machine alone.
import { once } from 'node:events';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';

const [project = '', port = '', saveEveryMs, file, host = '127.0.0.1'] = process.argv.slice(2);

// Its console logger, which prints the links that reset a password, speaks only in its own command line.
process.env.IS_FIREBASE_CLI = 'true';
const require = createRequire(import.meta.url);
const logging = require('firebase-tools/lib/logger.js') as { useConsoleLoggers: () => void };
logging.useConsoleLoggers();
// It compiles a validator for every parameter and answer of its contract, which is most of its start: each waits for its
// first call. The option is its router's own, and nobody passes it on.
const server = require.resolve('firebase-tools/lib/emulator/auth/server.js');
const router = createRequire(server)('exegesis-express') as {
  middleware: (contract: object, options: object) => unknown;
};
const { middleware } = router;
router.middleware = (contract, options) => middleware(contract, { ...options, lazyCompileValidationSchemas: true });
const { createApp } = require(server) as { createApp: (project: string) => Promise<RequestListener> };

const app = await createApp(project);
// Accounts are restored and saved through a door of their own: the other one opens when all of them are there.
const inner = createServer(app).listen(0, '127.0.0.1');
await once(inner, 'listening');
const { port: innerPort } = inner.address() as AddressInfo;
const accounts = `http://127.0.0.1:${innerPort}/identitytoolkit.googleapis.com/v1/projects/${project}/accounts`;

let saved = file ? await restore(file) : '';
const every = setInterval(() => void save(), Number(saveEveryMs));
let closing: Promise<void> | undefined;
process.on('SIGTERM', () => {
  clearInterval(every);
  closing ??= save().finally(() => process.exit(0));
});
process.on('message', (message) => {
  if (message === 'save') void save().finally(() => process.send?.('saved'));
});
// A proxy must close an idle connection before this server does: otherwise it may send a login on a closed connection.
const keepAliveTimeout = 75_000;
await once(createServer({ keepAliveTimeout }, app).listen(Number(port), host), 'listening');
process.send?.('ready');

interface SavedAccount {
  localId: string;
  /** In milliseconds since 1970. */
  createdAt: string;
  /** In seconds since 1970: tokens of earlier sign-ins are revoked. */
  validSince?: string;
}

async function restore(from: string): Promise<string> {
  let text: string;
  try {
    text = readFileSync(from, 'utf8');
  } catch {
    return '';
  }
  const { users = [] } = JSON.parse(text) as { users?: SavedAccount[] };
  if (users.length > 0) await own(':batchCreate', text);
  for (const { localId, createdAt, validSince } of users) {
    // It takes the time of the import, which would revoke every sign-in of before.
    const since = validSince ?? String(Math.floor(Number(createdAt) / 1000));
    await own(':update', JSON.stringify({ localId, validSince: since }));
  }
  return text;
}

/** Calls the emulator as the project's owner. */
async function own(path: string, body?: string): Promise<string> {
  const response = await fetch(`${accounts}${path}`, {
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body }),
  });
  const answer = await response.text();
  if (!response.ok) throw new Error(`The emulator refused ${path}: ${answer}`);
  return answer;
}

/** Replaces the file at once, so that a kill leaves the old accounts or the new ones. */
async function save(): Promise<void> {
  if (!file) return;
  const text = await own(':batchGet?maxResults=-1');
  if (text === saved) return;
  mkdirSync(dirname(file), { recursive: true });
  const handle = openSync(`${file}.new`, 'w', 0o600);
  writeSync(handle, text);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${file}.new`, file);
  saved = text;
}
