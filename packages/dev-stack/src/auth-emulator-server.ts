// Runs the Auth emulator of firebase-tools. Does not use the Emulator Hub, which is part of firebase-tools, because the hub
// needs internet access. The arguments are the project, the port, the milliseconds between two saves, the file for the
// accounts, and the host. Without a file, no accounts are saved.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname } from 'node:path';
import { loadAuthEmulator } from './offline/auth-emulator-patch.ts';

const [project = '', port = '', saveEveryMs, file, host = '127.0.0.1'] = process.argv.slice(2);

const app = await loadAuthEmulator()(project);
// This private port is used to restore and save accounts. The public port opens when all accounts are restored.
const internal = createServer(app).listen(0, '127.0.0.1');
await once(internal, 'listening');
const { port: internalPort } = internal.address() as AddressInfo;
const accounts = `http://127.0.0.1:${internalPort}/identitytoolkit.googleapis.com/v1/projects/${project}/accounts`;

let saved = file ? await restore(file) : '';
const saving = setInterval(() => void save(), Number(saveEveryMs));
let closing: Promise<void> | undefined;
process.on('SIGTERM', () => {
  clearInterval(saving);
  closing ??= save().finally(() => process.exit(0));
});
process.on('message', (message) => {
  if (message === 'save') void save().finally(() => process.send?.('saved'));
});
// This timeout is longer than the keep-alive timeout of the proxy in front of the emulator. Otherwise, the proxy could send
// a login on a connection that the emulator is closing.
const keepAliveTimeout = 75_000;
await once(createServer({ keepAliveTimeout }, app).listen(Number(port), host), 'listening');
process.send?.('ready');

interface SavedAccount {
  localId: string;
  /** The time when the account was created, in milliseconds since 1970. */
  createdAt: string;
  /** Tokens of sign-ins before this time are revoked. The time is in seconds since 1970. */
  validSince?: string;
}

async function restore(from: string): Promise<string> {
  if (!existsSync(from)) return '';
  const text = readFileSync(from, 'utf8');
  const { users = [] }: { users?: SavedAccount[] } = JSON.parse(text);
  if (users.length > 0) await callAsOwner(':batchCreate', text);
  for (const { localId, createdAt, validSince } of users) {
    // `batchCreate` sets `validSince` to the current time, which revokes all earlier sign-ins. So the saved value is set
    // again.
    const since = validSince ?? String(Math.floor(Number(createdAt) / 1000));
    await callAsOwner(':update', JSON.stringify({ localId, validSince: since }));
  }
  return text;
}

/** Sends a request to the emulator with the rights of the project owner. */
async function callAsOwner(path: string, body?: string): Promise<string> {
  const response = await fetch(`${accounts}${path}`, {
    headers: { Authorization: 'Bearer owner', 'Content-Type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The Auth emulator rejected ${path}: ${text}`);
  return text;
}

/** Saves the accounts. Replaces the file in one step, so that a crash leaves either the old or the new file. */
async function save(): Promise<void> {
  if (!file) return;
  const text = await callAsOwner(':batchGet?maxResults=-1');
  if (text === saved) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.new`, text, { mode: 0o600, flush: true });
  renameSync(`${file}.new`, file);
  saved = text;
}
