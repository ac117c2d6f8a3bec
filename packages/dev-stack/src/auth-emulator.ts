import { fileURLToPath } from 'node:url';
import type { NodeCommand } from './processes.ts';

/** The Firebase project if none is configured. For ids that begin with 'demo-', firebase-tools never calls Google. */
export const demoProject = 'demo-rtr-cloud-kitchen';

export interface AuthEmulatorOptions {
  /** The id of a demo project, which begins with 'demo-'. */
  project: string;
  port: number;
  /** The file where accounts are saved. Without it, they are lost when the emulator stops. */
  accountsFile?: string;
  /** The interval between two saves of the accounts, 15 s by default. A `kill -9` loses newer changes. */
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
