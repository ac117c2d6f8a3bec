import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { root } from '@rtr/dev-stack/processes';
import type { TestProject } from 'vitest/node';
import { composition } from './documents.ts';

const execute = promisify(execFile);

declare module 'vitest' {
  export interface ProvidedContext {
    /** A clean clone of this repository, with an .env file for the tests. */
    repository: string;
  }
}

/**
 * Clones the last commit, and builds the container images of the clone. Returns a function that removes the containers,
 * the volumes and the clone after the tests.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const repository = await mkdtemp(join(tmpdir(), 'rtr-containers-'));
  await execute('git', ['clone', '--quiet', root, repository]);
  const { stdout } = await execute('git', ['status', '--porcelain'], { cwd: root });
  if (stdout) process.stdout.write('The containers are built from the last commit, without the changes after it.\n');

  const { image } = composition.services.mongodb;
  const limit = await execute('docker', ['run', '--rm', '--entrypoint', 'bash', image, '-c', 'ulimit -Hn']);
  const openFiles = Math.min(64_000, Number(limit.stdout) || 64_000);
  // The tests have their own volumes and images, so they do not touch a demonstration on the same machine.
  const lines = ['COMPOSE_PROJECT_NAME=rtr-container-tests', 'VERSION=test', `MONGODB_OPEN_FILES=${openFiles}`];
  await writeFile(join(repository, '.env'), lines.join('\n'));

  const compose = (...args: string[]) =>
    execute('docker', ['compose', ...args], { cwd: repository, maxBuffer: Number.POSITIVE_INFINITY });
  const cleanUp = () => compose('--profile', '*', 'down', '--volumes', '--remove-orphans');
  await cleanUp();
  const since = performance.now();
  await compose('build');
  process.stdout.write(`The container images were built in ${Math.round((performance.now() - since) / 1000)} s.\n`);
  project.provide('repository', repository);
  return async () => {
    await cleanUp();
    await rm(repository, { recursive: true });
  };
}
