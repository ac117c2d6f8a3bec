import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import getPort, { clearLockedPorts } from 'get-port';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/**
 * The timeout for commands such as apt. It is long, because apt can need most of a minute to list its sources on a busy
 * machine.
 */
export const commandTimeoutMs = 300_000;

const parentWatchdog = fileURLToPath(new URL('./parent-watchdog.ts', import.meta.url));

export interface NodeCommand {
  /** The name of the process in messages, and of its log file. */
  name: string;
  /** The absolute path of the script to run. */
  entry: string;
  args?: readonly string[];
  nodeArgs?: readonly string[];
  /** A command that starts node, for example with another version of glibc. By default, node is started directly. */
  launcher?: readonly string[];
  cwd?: string;
  env?: Readonly<Record<string, string | undefined>>;
  onLine?: (line: string) => void;
}

export interface RunningProcess {
  /** The id of the process. Its process group has the same id. */
  pid: number;
  /** Resolves when the process has exited. `reason` says how it exited, and contains the last lines of its output. */
  exited: Promise<{ code: number | undefined; reason: string }>;
  /** Resolves with the first IPC message of the process. Rejects if the process exits before that message. */
  ready: Promise<unknown>;
  /** Sends an IPC message. Resolves with the reply, or when the process exits. */
  sendRequest(message: string): Promise<unknown>;
  /** Stops the process and its descendants with SIGTERM, and after 10 s with SIGKILL. Resolves when the process has exited. */
  stop(): Promise<void>;
  /** Kills the process and its descendants with SIGKILL, as if they had crashed. */
  kill(): Promise<void>;
}

/** Starts a Node program in its own process group. The program also ends when this process ends or is killed. */
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
    const how = signal ? `was ended by ${signal}` : (originalMessage ?? `exited with code ${exitCode}`);
    return { code: exitCode, reason: [`${name} ${how}.`, ...lastLines].join('\n  ') };
  });
  const ready = subprocess.getOneMessage().catch(async () => {
    throw new Error((await exited).reason);
  });
  // Some callers do not await `ready`. Without this handler, a rejection of `ready` would be unhandled.
  ready.catch(() => undefined);
  return {
    pid: subprocess.pid ?? 0,
    exited,
    ready,
    async sendRequest(message) {
      const reply = subprocess.getOneMessage().catch(() => exited);
      await subprocess.sendMessage(message);
      return reply;
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

export interface ChildProcess {
  /** The running process, or undefined while no process is running. */
  running(): RunningProcess | undefined;
  /** Starts the process. Resolves when the process is ready. */
  start(): Promise<void>;
  stop(): Promise<void>;
  kill(): Promise<void>;
}

export interface ChildProcessOptions {
  /** Resolves when the process is ready. By default, a process is ready when it sends its first IPC message. */
  isReady?: (signal: AbortSignal) => Promise<void>;
  onStart?: (started: RunningProcess) => void;
  /** Called with the reason when the process exits unexpectedly. */
  onExit?: (reason: string) => void;
}

export function childProcess(
  command: NodeCommand,
  { isReady, onStart, onExit }: ChildProcessOptions = {},
): ChildProcess {
  let running: RunningProcess | undefined;
  /** Returns the running process and stops watching it: when this process exits later, `onExit` is not called. */
  const takeRunning = () => {
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
    stop: async () => takeRunning()?.stop(),
    kill: async () => takeRunning()?.kill(),
  };
}

/** Sends requests to the URL until one succeeds. Rejects after 2 minutes, or when the signal aborts. */
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
      problem = 'no response';
    }
    await sleep(50);
  }
  throw new Error(`${url} is not ready after 2 minutes: ${problem}.`);
}

/**
 * Finds a free TCP port below the range of ephemeral ports, so that no outgoing connection can take the port. Each worker of
 * Vitest has its own range. Otherwise one worker could take the port of a server that another worker is restarting.
 */
export function freePort(): Promise<number> {
  const first = 20_000 + 1000 * (Number(process.env.VITEST_POOL_ID ?? 0) % 10);
  return getPort({ port: randomInt(first, first + 1000) });
}

/** True if no server listens on the port, on any IPv4 or IPv6 address of this machine. */
export async function isPortFree(port: number): Promise<boolean> {
  // get-port does not return a port again soon, even if the port is free. This call makes get-port forget the returned
  // ports.
  clearLockedPorts();
  return (await getPort({ port })) === port;
}
