import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import getPort, { clearLockedPorts } from 'get-port';

/** The root folder of the repository. */
export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** How long a short command may take. On a busy machine apt needs most of a minute to list its sources. */
export const commandTimeoutMs = 300_000;

const parentWatchdog = fileURLToPath(new URL('./parent-watchdog.ts', import.meta.url));

export interface NodeCommand {
  /** The name in messages and of the log file. */
  name: string;
  /** The absolute path of the script. */
  entry: string;
  args?: readonly string[];
  nodeArgs?: readonly string[];
  /** The program and its arguments that run node, such as the loader of another C library. */
  launcher?: readonly string[];
  cwd?: string;
  /** Added to the environment of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Receives each line of output. */
  onLine?: (line: string) => void;
}

export interface RunningProcess {
  /** The id of the process and of its process group. */
  pid: number;
  /** Resolves when the process has exited. `reason` is a sentence, followed by the last lines of output. */
  exited: Promise<{ code: number | undefined; reason: string }>;
  /** Resolves with the first message of the process. Rejects when the process exits before. */
  ready: Promise<unknown>;
  /** Sends a message and waits for the answer, or for the exit. */
  ask(message: string): Promise<unknown>;
  /** Sends SIGTERM to the process and its descendants, then SIGKILL after 10 s, and waits for the exit. */
  stop(): Promise<void>;
  /** Sends SIGKILL to the process and its descendants, as a crash would end them. */
  kill(): Promise<void>;
}

/** Starts a Node program in its own process group. It also ends when this process ends, even by SIGKILL. */
export function startNode(command: NodeCommand): RunningProcess {
  const { name, entry, args = [], nodeArgs = [], launcher = [], cwd = root, env = {}, onLine } = command;
  const [file = '', ...rest] = [
    ...launcher,
    process.execPath,
    ...nodeArgs,
    `--import=${parentWatchdog}`,
    entry,
    ...args,
  ];
  const subprocess = execa(file, rest, {
    cwd,
    env,
    stdin: 'ignore',
    all: true,
    buffer: false,
    ipc: true,
    reject: false,
    cleanup: false,
    killDescendants: true,
    forceKillAfterDelay: 10_000,
  });
  const lastLines: string[] = [];
  const output = createInterface({ input: subprocess.all }).on('line', (line) => {
    lastLines.push(line);
    if (lastLines.length > 40) lastLines.shift();
    onLine?.(line);
  });
  const exited = Promise.all([subprocess, once(output, 'close')]).then(([{ exitCode, signal, originalMessage }]) => {
    const how = signal ? `was ended by ${signal}` : (originalMessage ?? `ended with code ${exitCode}`);
    return { code: exitCode, reason: [`${name} ${how}.`, ...lastLines].join('\n  ') };
  });
  const ready = subprocess.getOneMessage().catch(async () => {
    throw new Error((await exited).reason);
  });
  // Not every caller waits for the first message.
  ready.catch(() => undefined);
  return {
    pid: subprocess.pid ?? 0,
    exited,
    ready,
    async ask(message) {
      const answer = subprocess.getOneMessage().catch(() => exited);
      await subprocess.sendMessage(message);
      return answer;
    },
    async stop() {
      subprocess.kill();
      await exited;
    },
    async kill() {
      subprocess.kill('SIGKILL');
      await exited;
    },
  };
}

/** A server process that can be stopped and started again. */
export interface ChildProcess {
  /** Undefined while it is stopped. */
  running(): RunningProcess | undefined;
  /** Resolves when the process is ready. */
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface ChildProcessOptions {
  /** Resolves when the process is ready. Without it, the first message of the process says so. */
  isReady?: (signal: AbortSignal) => Promise<void>;
  onStart?: (started: RunningProcess) => void;
  /** Receives the reason when the process exits without being stopped. */
  onExit?: (reason: string) => void;
}

export function childProcess(
  command: NodeCommand,
  { isReady, onStart, onExit }: ChildProcessOptions = {},
): ChildProcess {
  let running: RunningProcess | undefined;
  const forget = () => {
    const current = running;
    running = undefined;
    return current;
  };
  return {
    running: () => running,
    async start() {
      const started = startNode(command);
      running = started;
      onStart?.(started);
      const exit = new AbortController();
      void started.exited.then(({ reason }) => {
        exit.abort(new Error(reason));
        if (running === started) onExit?.(reason);
      });
      await (isReady ? isReady(exit.signal) : started.ready);
    },
    stop: async () => forget()?.stop(),
    kill: async () => forget()?.kill(),
  };
}

/** Requests the URL until it answers with success. Rejects after 2 minutes, or when the signal aborts. */
export async function waitUntilReady(url: string, signal: AbortSignal): Promise<void> {
  const deadline = Date.now() + 120_000;
  let problem = '';
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

/** A free TCP port below the range that the system gives to outgoing connections, one of which might take it. */
export function freePort(): Promise<number> {
  return getPort({ port: randomInt(20_000, 30_000) });
}

/** Whether nothing listens on the port, on any IPv4 or IPv6 address of this machine. */
export async function isPortFree(port: number): Promise<boolean> {
  // get-port reports its own ports of the last seconds as taken.
  clearLockedPorts();
  return (await getPort({ port })) === port;
}
