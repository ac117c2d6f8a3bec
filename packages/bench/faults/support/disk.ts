import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statfsSync, symlinkSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ChildProcess } from '@rtr/dev-stack/processes';
import { runningOf } from './installation.ts';

/** The names of the subfolder with the data of MongoDB: one name for each kind of MongoDB. */
const databaseFolders = ['mongodb-mongod', 'mongodb-memory-server', 'mongodb-embedded'];
const chunkBytes = 64 * 1024;
/**
 * The size of the disk. `fill` makes the disk smaller until `free` is called. MongoDB builds an index only if 500 MB are
 * free.
 */
const diskBytes = 2 ** 30;
/**
 * If a full disk is simulated, no file can become larger than this. It is half of the journal size of the MongoDB
 * engine that comes as an npm package, so that writes to the journal fail.
 */
const maxFileBytes = 2 ** 22;

export interface Disk {
  kind: string;
  /**
   * True if MongoDB cannot create files while this disk is full. False if only the size of each file is limited: MongoDB
   * can then still create files.
   */
  rejectsNewFiles: boolean;
  /** The data folder for an installation. Only its subfolders with the data of MongoDB are on the disk that `fill` fills. */
  dataFolder: string;
  fill(mongodb: ChildProcess): void;
  free(): void;
  remove(): void;
}

/**
 * Creates a disk that tests can fill: a file system in memory, which only root can mount. If the mount fails, simulates
 * a full disk: RLIMIT_FSIZE limits the size of each file of MongoDB until MongoDB restarts. Returns the reason if both
 * are impossible.
 */
export function createDisk(): Disk | { missing: string } {
  const dataFolder = mkdtempSync(join(tmpdir(), 'rtr-disk-'));
  const disk = join(dataFolder, 'disk');
  mkdirSync(disk);
  for (const folder of databaseFolders) symlinkSync(disk, join(dataFolder, folder));
  const removeFolder = () => rmSync(dataFolder, { recursive: true });
  const missing: string[] = [];
  const canRun = (file: string, args: string[]) => {
    try {
      execFileSync(file, args, { stdio: 'pipe' });
      return true;
    } catch (error) {
      missing.push(String(error));
      return false;
    }
  };
  if (canRun('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', disk])) {
    const filler = join(disk, 'filler');
    const resize = (bytes: number) => execFileSync('mount', ['-o', `remount,size=${bytes}`, disk]);
    return {
      kind: 'a file system in memory',
      rejectsNewFiles: true,
      dataFolder,
      fill() {
        const { blocks, bfree, bsize } = statfsSync(disk);
        // MongoDB may write while the disk is resized, so the new size is larger than the used space that was just
        // measured. The filler file then uses the rest of the free space.
        resize((blocks - bfree) * bsize + 16 * chunkBytes);
        writeUntilFull(filler);
      },
      free() {
        rmSync(filler);
        resize(diskBytes);
      },
      remove() {
        // Without `--lazy`, the unmount fails if MongoDB is still exiting.
        execFileSync('umount', ['--lazy', disk]);
        removeFolder();
      },
    };
  }
  if (canRun('prlimit', ['--version']))
    return {
      kind: 'a limit of the size of files',
      rejectsNewFiles: false,
      dataFolder,
      fill: (mongodb) => execFileSync('prlimit', ['--pid', String(runningOf(mongodb).pid), `--fsize=${maxFileBytes}`]),
      free: () => undefined,
      remove: removeFolder,
    };
  removeFolder();
  return { missing: missing.join(' ') };
}

function writeUntilFull(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(chunkBytes));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}
