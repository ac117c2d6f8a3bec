import { fileURLToPath } from 'node:url';
import type { NodeCommand } from './processes.ts';

/**
 * The Firebase project id that is used if no other is configured. firebase-tools never calls Google if the id begins with
 * 'demo-'.
 */
export const demoProject = 'demo-rtr-cloud-kitchen';

export interface AuthEmulatorOptions {
  /** The Firebase project id. It must begin with 'demo-'. */
  project: string;
  port: number;
  /** The file where accounts are saved. Without a file, the accounts are lost when the emulator stops. */
  accountsFile?: string;
  /**
   * The time between two saves of the accounts. The default is 15 s. After a `kill -9`, changes since the last save are
   * lost.
   */
  saveEveryMs?: number;
  onLine?: (line: string) => void;
}

/** Returns the command that runs the Auth emulator on 127.0.0.1. */
export function authEmulator({
  project,
  port,
  accountsFile = '',
  saveEveryMs = 15_000,
  onLine,
}: AuthEmulatorOptions): NodeCommand {
  return {
    name: 'Auth emulator',
    entry: fileURLToPath(new URL('./auth-emulator-server.ts', import.meta.url)),
    args: [project, String(port), String(saveEveryMs), accountsFile],
    ...(onLine && { onLine }),
  };
}

export interface FirebaseTokens {
  localId: string;
  idToken: string;
  refreshToken: string;
}

/**
 * Calls the Auth emulator as a browser does. `path` is a path such as 'accounts:signUp'. Rejects if the response is an error.
 */
export async function callAuthEmulator(
  origin: string,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<FirebaseTokens> {
  const response = await fetch(`${origin}/identitytoolkit.googleapis.com/v1/${path}?key=any`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
  return (await response.json()) as FirebaseTokens;
}
