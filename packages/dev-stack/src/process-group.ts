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
  /** Gets one log file for each process. */
  logFolder: string;
  lock: FolderLock;
  /** Also receives each line of each process. */
  print?: ((line: string) => void) | undefined;
  /** Receives the reason when a process exits without being stopped. */
  onExit?: ((reason: string) => void) | undefined;
}

/** All processes of one stack. */
export interface ProcessGroup {
  add: typeof childProcess;
  /** Runs a program until it exits and returns its output. Rejects when it fails. */
  run(command: NodeCommand): Promise<string[]>;
  /** Stops all processes, the last added first. Nothing can be started afterwards. */
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
  const requireOpen = () => {
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
          requireOpen();
          await child.start();
        },
      };
    },
    async run(command) {
      requireOpen();
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
