import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { execa } from 'execa';
import { root } from './processes.ts';

/** The content of the file `running.json`. The file is in the data folder while a stack uses this folder. */
interface Running {
  pid: number;
  /**
   * The script that the process with this `pid` runs. If the operating system reuses the pid for another process, the script
   * is different.
   */
  script: string;
  groups: number[];
  /** The environment variables of the API. Absent while MongoDB is starting. */
  env?: Readonly<Record<string, string | undefined>>;
}

export interface FolderLock {
  /**
   * Adds a child process to `running.json`. If this stack is killed, the next stack that uses the data folder ends the
   * child process.
   */
  addProcess(pid: number): void;
  setEnv(env: NonNullable<Running['env']>): void;
  release(): void;
}

export async function stackRunningIn(folder: string): Promise<Running | undefined> {
  const recorded = read(folder);
  const owner = recorded && (await listProcesses()).find(({ pid }) => pid === recorded.pid);
  return owner?.command.includes(basename(recorded?.script ?? '')) ? recorded : undefined;
}

/**
 * Locks the data folder for this process. Rejects if another stack uses the folder. If an earlier stack was killed, ends the
 * processes that it left running.
 */
export async function lockFolder(folder: string): Promise<FolderLock> {
  const running = await stackRunningIn(folder);
  if (running)
    throw new Error(`Process ${running.pid} already uses the data in ${folder}. Stop that process, then try again.`);
  await endGroups(read(folder)?.groups ?? []);

  const own: Running = { pid: process.pid, script: process.argv[1] ?? '', groups: [] };
  // The file is written synchronously. So if this process is killed, the file contains every process that was started.
  const write = (changes: Partial<Running>) => {
    Object.assign(own, changes);
    // Only the owner may read the file, because it contains the secret that signs tokens.
    writeFileSync(`${fileIn(folder)}.new`, JSON.stringify(own), { mode: 0o600 });
    renameSync(`${fileIn(folder)}.new`, fileIn(folder));
  };
  mkdirSync(folder, { recursive: true });
  write({});
  return {
    addProcess: (pid) => write({ groups: [...own.groups, pid] }),
    setEnv: (env) => write({ env }),
    release: () => rmSync(fileIn(folder), { force: true }),
  };
}

/** Ends the process groups of a killed stack, but only those that run a program of this repository. */
async function endGroups(groups: readonly number[]): Promise<void> {
  const findRemaining = async () =>
    (await listProcesses()).filter(({ group, command }) => groups.includes(group) && command.includes(root));
  const deadline = Date.now() + 10_000;
  let signal: NodeJS.Signals | 0 = 'SIGTERM';
  for (let remaining = await findRemaining(); remaining.length > 0; remaining = await findRemaining()) {
    if (Date.now() > deadline) signal = 'SIGKILL';
    for (const { group } of remaining) {
      try {
        process.kill(-group, signal);
      } catch {
        // The process group has already ended.
      }
    }
    signal = 0;
    await sleep(100);
  }
}

/** Lists all processes of this machine, except zombies. The list is empty if the machine has no `ps` command. */
export async function listProcesses(): Promise<{ pid: number; group: number; command: string }[]> {
  const { stdout } = await execa({ reject: false })`ps -A -o pid=,pgid=,stat=,command=`;
  return [...(stdout ?? '').matchAll(/^ *(\d+) +(\d+) +(?!Z)\S+ +(.*)$/gm)].map(([, pid, group, command = '']) => ({
    pid: Number(pid),
    group: Number(group),
    command,
  }));
}

function read(folder: string): Running | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(folder), 'utf8'));
  } catch {
    return undefined;
  }
}

function fileIn(folder: string): string {
  return join(folder, 'running.json');
}
