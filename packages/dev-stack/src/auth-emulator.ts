import { fileURLToPath } from 'node:url';
import type { NodeCommand } from './processes.ts';

/** The project when none is configured. 'demo-' keeps firebase-tools from any real one. */
export const demoProject = 'demo-rtr-cloud-kitchen';

export interface AuthEmulatorOptions {
  /** Its name starts with 'demo-'. */
  project: string;
  port: number;
  /** Keeps the accounts, saved at the end and every so often; none are kept without it. */
  accountsFile?: string;
  /** 15 s when absent: what a `kill -9` loses at most. */
  saveEveryMs?: number;
  onLine?: (line: string) => void;
}

/** The Auth emulator of firebase-tools, on 127.0.0.1. */
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
