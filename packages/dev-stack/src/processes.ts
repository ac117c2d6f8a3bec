import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** Where the repository stands. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Milliseconds that a short command may take. On a busy machine apt needs most of a minute to list its sources. */
export const commandTimeoutMs = 300_000;

/** Ends a child when the process that started it is gone, however that one ended. */
const leash = fileURLToPath(new URL('./leash.ts', import.meta.url));

export interface NodeCommand {
  /** How reports and messages call it. */
  name: string;
  /** The script, as an absolute path. */
  entry: string;
  args?: readonly string[];
  nodeArgs?: readonly string[];
  /** What runs node, such as another C library's loader; node itself when absent. */
  launcher?: readonly string[];
  cwd?: string;
  /** Goes over this process's own environment. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Takes each line the child writes. */
  onLine?: (line: string) => void;
}

export interface Child {
  /** Of the process and of the group that it leads. */
  pid: number;
  /** How it ended, when it has: in words, with what it wrote last. */
  exited: Promise<{ code: number | null; how: string }>;
  /** The first message the child sends; fails when it ends before. */
  ready: Promise<unknown>;
  /** Sends the child a message and waits for its answer, or its end. */
  ask(message: string): Promise<unknown>;
  /** Asks the child and all its descendants to end, insists after a while, and returns when none is left. */
  stop(): Promise<void>;
  /** Ends the child and all its descendants at once, as a crash would. */
  kill(): Promise<void>;
}

/** Starts a Node program in a process group of its own, so that its descendants can be ended with it. */
export function startNode(command: NodeCommand): Child {
  const { name, entry, args = [], nodeArgs = [], launcher = [], cwd, env, onLine } = command;
  const [file = '', ...rest] = [...launcher, process.execPath, ...nodeArgs, `--import=${leash}`, entry, ...args];
  const child = spawn(file, rest, {
    cwd,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const lastLines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (!input) continue;
    createInterface({ input }).on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > 40) lastLines.shift();
      onLine?.(line);
    });
  }
  const exited: Child['exited'] = new Promise((resolve) => {
    const end = (code: number | null, how: string) =>
      resolve({ code, how: [`${name} ${how}.`, ...lastLines].join('\n  ') });
    child.once('error', (error) => end(null, `could not be started: ${error.message}`));
    child.once('close', (code, signal) => end(code, signal ? `was ended by ${signal}` : `ended with code ${code}`));
  });
  const ready = new Promise<unknown>((resolve, reject) => {
    child.once('message', resolve);
    void exited.then(({ how }) => reject(new Error(how)));
  });
  // Not every caller waits for it.
  ready.catch(() => undefined);
  const groups = child.pid === undefined ? [] : [child.pid];

  return {
    pid: child.pid ?? 0,
    exited,
    ready,
    ask(message) {
      const answer = new Promise((resolve) => child.once('message', resolve));
      child.send(message);
      return Promise.race([answer, exited]);
    },
    async stop() {
      await Promise.all(groups.map(endGroup));
    },
    async kill() {
      for (const group of groups) signalGroup(group, 'SIGKILL');
      await Promise.all(groups.map((group) => groupIsGone(group, 5_000)));
    },
  };
}

/** A program that serves until it is halted, and can be started again. */
export interface Piece {
  /** Undefined while it is halted. */
  child(): Child | undefined;
  /** Returns when it serves. */
  start(): Promise<void>;
  /** Ends it and its descendants, cleanly. */
  halt(): Promise<void>;
  /** Ends it and its descendants at once, as a crash would. */
  kill(): Promise<void>;
}

export interface PieceOptions {
  /** Returns when the program serves; by default its first message tells. */
  serves?: (signal: AbortSignal) => Promise<void>;
  onStart?: (child: Child) => void;
  /** Told how the program ended when nobody asked it to. */
  onEnd?: (how: string) => void;
}

export function pieceOf(command: NodeCommand, { serves, onStart, onEnd }: PieceOptions = {}): Piece {
  let child: Child | undefined;
  /** From here on the end of the child is wanted. */
  const letGo = () => {
    const current = child;
    child = undefined;
    return current;
  };
  return {
    child: () => child,
    async start() {
      const started = startNode(command);
      child = started;
      onStart?.(started);
      const ended = new AbortController();
      const failed = started.exited.then(({ how }) => {
        ended.abort();
        if (child === started) onEnd?.(how);
        throw new Error(how);
      });
      failed.catch(() => undefined);
      await Promise.race([serves ? serves(ended.signal) : started.ready, failed]);
    },
    halt: async () => letGo()?.stop(),
    kill: async () => letGo()?.kill(),
  };
}

/** Asks until the address answers well; gives up after 2 minutes, or when told to. */
export async function answers(url: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + 120_000;
  let problem = 'no answer';
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
      await response.body?.cancel();
      if (response.ok) return;
      problem = `status ${response.status}`;
    } catch {
      problem = 'no answer';
    }
    await sleep(50);
  }
  throw new Error(`${url} is not ready after 2 minutes: ${problem}.`);
}

/** A TCP port that was free a moment ago: below those that systems give to connections, one of which might take it. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 30_000);
  return (await portIsFree(port)) ? port : freePort();
}

/** Whether nobody listens there, on IPv6 neither: a browser tries 'localhost' on both. */
export async function portIsFree(port: number): Promise<boolean> {
  const taken = await Promise.all(
    ['127.0.0.1', '::1'].map(
      (host) =>
        new Promise<boolean>((resolve) => {
          const server = createServer();
          server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
          server.listen(port, host, () => server.close(() => resolve(false)));
        }),
    ),
  );
  return !taken.includes(true);
}

/** Every process of this machine that still runs; none where there is no `ps`. */
export async function listProcesses(): Promise<{ pid: number; group: number; command: string }[]> {
  const stdout = await new Promise<string>((resolve) => {
    execFile('ps', ['-A', '-o', 'pid=,pgid=,stat=,command='], { maxBuffer: 2 ** 24 }, (_error, text) => resolve(text));
  });
  return [...stdout.matchAll(/^ *(\d+) +(\d+) +(?!Z)\S+ +(.*)$/gm)].map(([, pid, group, command = '']) => ({
    pid: Number(pid),
    group: Number(group),
    command,
  }));
}

/** Ends those of these process groups that still run something of this repository. */
export async function endGroups(groups: readonly number[]): Promise<void> {
  const running = (await listProcesses()).filter(({ command }) => command.includes(root));
  const ours = new Set(running.map(({ group }) => group));
  await Promise.all(groups.filter((group) => ours.has(group)).map(endGroup));
}

async function endGroup(group: number): Promise<void> {
  signalGroup(group, 'SIGTERM');
  if (await groupIsGone(group, 10_000)) return;
  signalGroup(group, 'SIGKILL');
  await groupIsGone(group, 5_000);
}

/** Whether the group had a process to signal; 0 asks only that. */
function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}

async function groupIsGone(group: number, timeoutMs: number): Promise<boolean> {
  const deadline = Date.now() + timeoutMs;
  for (let pause = 10; signalGroup(group, 0); pause = Math.min(pause * 2, 200)) {
    if (Date.now() > deadline) return false;
    await sleep(pause);
    // An ended process takes signals for as long as nobody has asked for its exit code.
    const running = await listProcesses();
    if (running.length > 0 && running.every((process) => process.group !== group)) return true;
  }
  return true;
}
