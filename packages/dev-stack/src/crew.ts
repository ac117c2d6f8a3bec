import { createWriteStream, type WriteStream } from 'node:fs';
import { join } from 'node:path';
import { type Child, type NodeCommand, type Piece, type PieceOptions, pieceOf, startNode } from './processes.ts';
import type { Claim } from './running.ts';

interface CrewOptions {
  /** Gets a file per process. */
  logFolder: string;
  claim: Claim;
  /** Takes each line of each process too, when present. */
  say?: ((line: string) => void) | undefined;
  /** Told how a process ended that nobody asked to. */
  onEnd?: ((how: string) => void) | undefined;
}

/** All processes of one stack: writes down what each says, and ends them together. */
export interface Crew {
  piece: typeof pieceOf;
  /** Runs a program to its end; answers what it printed. */
  job(command: NodeCommand): Promise<string[]>;
  /** Ends the last started first, and returns when none is left. Nothing can be started from then on. */
  end(): Promise<void>;
}

export function createCrew({ logFolder, claim, say, onEnd }: CrewOptions): Crew {
  const pieces: Piece[] = [];
  const jobs = new Set<Child>();
  const logs: WriteStream[] = [];
  let ended = false;

  const logged = (command: NodeCommand): NodeCommand => {
    const log = createWriteStream(join(logFolder, `${command.name.toLowerCase().replaceAll(' ', '-')}.log`), {
      flags: 'a',
    });
    logs.push(log);
    return {
      ...command,
      onLine(line) {
        log.write(`${line}\n`);
        if (command.onLine) command.onLine(line);
        else say?.(`[${command.name}] ${line}`);
      },
    };
  };
  const refuseWhenEnded = () => {
    if (ended) throw new Error('It was stopped before it had started.');
  };

  return {
    piece(command, options: PieceOptions = {}) {
      const piece = pieceOf(logged(command), {
        ...options,
        onStart: ({ pid }) => claim.noteGroup(pid),
        ...(onEnd && { onEnd }),
      });
      pieces.push(piece);
      return {
        ...piece,
        async start() {
          refuseWhenEnded();
          await piece.start();
        },
      };
    },
    async job(command) {
      refuseWhenEnded();
      const lines: string[] = [];
      const { onLine, ...rest } = logged(command);
      const child = startNode({
        ...rest,
        onLine(line) {
          lines.push(line);
          onLine?.(line);
        },
      });
      jobs.add(child);
      claim.noteGroup(child.pid);
      const { code, how } = await child.exited;
      jobs.delete(child);
      if (code !== 0) throw new Error(how);
      return lines;
    },
    async end() {
      ended = true;
      await Promise.all([...jobs].map((child) => child.stop()));
      for (const piece of pieces.toReversed()) await piece.halt();
      await Promise.all(logs.map((log) => new Promise((resolve) => log.end(resolve))));
    },
  };
}
