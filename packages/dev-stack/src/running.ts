import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { endGroups, listProcesses } from './processes.ts';

/** What a stack leaves word of in its data folder, while it runs. */
interface Running {
  pid: number;
  /** The script of that process: process ids are given again. */
  script: string;
  /** The process groups it started. */
  groups: number[];
  /** What each process of the product is started with; absent until MongoDB is there. */
  env?: Readonly<Record<string, string | undefined>>;
}

export interface Claim {
  noteGroup(pid: number): void;
  noteEnv(env: NonNullable<Running['env']>): void;
  release(): void;
}

/** The stack that runs over this folder now. */
export async function runningOver(folder: string): Promise<Running | undefined> {
  const noted = read(folder);
  if (!noted) return undefined;
  const owner = (await listProcesses()).find(({ pid }) => pid === noted.pid);
  return owner?.command.includes(basename(noted.script)) ? noted : undefined;
}

/** Takes the folder for this process; ends what a killed run left behind, and refuses while another run has it. */
export async function claimFolder(folder: string): Promise<Claim> {
  const running = await runningOver(folder);
  if (running)
    throw new Error(`It runs already, as process ${running.pid}, over the data in ${folder}. Stop that one first.`);
  const left = read(folder);
  if (left) await endGroups(left.groups);

  const own: Running = { pid: process.pid, script: process.argv[1] ?? '', groups: [] };
  const file = fileIn(folder);
  // At once, so that a kill finds every process noted that was started.
  const write = () => {
    // It holds the secret that signs tokens.
    writeFileSync(`${file}.new`, JSON.stringify(own), { mode: 0o600 });
    renameSync(`${file}.new`, file);
  };
  mkdirSync(folder, { recursive: true });
  write();
  return {
    noteGroup(pid) {
      own.groups.push(pid);
      write();
    },
    noteEnv(env) {
      own.env = env;
      write();
    },
    release: () => rmSync(file, { force: true }),
  };
}

function read(folder: string): Running | undefined {
  try {
    return JSON.parse(readFileSync(fileIn(folder), 'utf8')) as Running;
  } catch {
    return undefined;
  }
}

function fileIn(folder: string): string {
  return join(folder, 'running.json');
}
