import { fileURLToPath } from 'node:url';
import type { NodeCommand } from './processes.ts';

/** The project when none is configured. firebase-tools connects no project that begins with 'demo-' to the network. */
export const demoProject = 'demo-rtr-cloud-kitchen';

export interface AuthEmulatorOptions {
  /** Begins with 'demo-'. */
  project: string;
  port: number;
  /** Without a file no account is kept. */
  accountsFile?: string;
  /** How often the accounts are saved: 15 s by default. A `kill -9` loses at most what is newer. */
  saveEveryMs?: number;
  onLine?: (line: string) => void;
}

/** The command that runs the Auth emulator on 127.0.0.1. */
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
