import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FolderLock } from './folder-lock.ts';
import {
  type ChildProcess,
  type ChildProcessOptions,
  childProcess,
  type NodeCommand,
  type RunningProcess,
  startNode,
} from './processes.ts';

interface ProcessGroupOptions {
  /** The folder for the log files. Each process has its own log file. */
  logFolder: string;
  lock: FolderLock;
  /**
   * Called with each line of output of a process without its own `onLine`. All lines are also written to the log files.
   */
  print?: ((line: string) => void) | undefined;
  onExit?: ((reason: string) => void) | undefined;
}

export interface ProcessGroup {
  add: typeof childProcess;
  /** Runs a program until it exits, and resolves with the lines of its output. Rejects if the program fails. */
  run(command: NodeCommand): Promise<string[]>;
  /** Stops all processes, the last one first. After that, no process can be started. */
  stop(): Promise<void>;
}

export function createProcessGroup({ logFolder, lock, print, onExit }: ProcessGroupOptions): ProcessGroup {
  const children: ChildProcess[] = [];
  const programs = new Set<RunningProcess>();
  let isStopped = false;

  const withLog = (command: NodeCommand, lines?: string[]): NodeCommand => {
    const file = join(logFolder, `${command.name.toLowerCase().replaceAll(' ', '-')}.log`);
    return {
      ...command,
      onLine(line) {
        appendFileSync(file, `${line}\n`);
        lines?.push(line);
        if (command.onLine) command.onLine(line);
        else print?.(`[${command.name}] ${line}`);
      },
    };
  };
  const requireNotStopped = () => {
    if (isStopped) throw new Error('The stack is stopped.');
  };

  return {
    add(command, options: ChildProcessOptions = {}) {
      const onStart = ({ pid }: RunningProcess) => lock.addProcess(pid);
      const child = childProcess(withLog(command), { ...options, onStart, ...(onExit && { onExit }) });
      children.push(child);
      return {
        ...child,
        async start() {
          requireNotStopped();
          await child.start();
        },
      };
    },
    async run(command) {
      requireNotStopped();
      const lines: string[] = [];
      const program = startNode(withLog(command, lines));
      programs.add(program);
      lock.addProcess(program.pid);
      const { code, reason } = await program.exited;
      programs.delete(program);
      if (code !== 0) throw new Error(reason);
      return lines;
    },
    async stop() {
      isStopped = true;
      await Promise.all([...programs].map((program) => program.stop()));
      for (const child of children.toReversed()) await child.stop();
    },
  };
}
