import { createHash } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type NodeCommand, root } from './processes.ts';

const web = join(root, 'apps/web');

/** What the built web depends on, seen from the repository's root. */
const sources = ['apps/web', 'packages/shared', 'pnpm-lock.yaml'];
const notSources = /(^|\/)(node_modules|dist|test|\.turbo)(\/|$)/;

/** The web server: the built one, or the one that serves the sources. */
export function webServer({ built }: { built: boolean }): Pick<NodeCommand, 'entry' | 'cwd'> {
  return { entry: join(web, built ? 'dist/server/main.js' : 'server/dev.ts'), cwd: web };
}

/** Builds the web app unless the last build was of these very files; says which. */
export async function buildWeb(run: (command: NodeCommand) => Promise<unknown>): Promise<string> {
  const mark = join(web, 'dist/.built-from');
  const wanted = await fingerprint();
  if ((await readFile(mark, 'utf8').catch(() => '')) === wanted)
    return 'Web: the last build is of these files, checked';
  for (const args of [['build'], ['build', '--ssr']])
    await run({
      name: 'web build',
      entry: join(web, 'node_modules/vite/bin/vite.js'),
      args,
      cwd: web,
      env: { NODE_ENV: 'production' },
    });
  await writeFile(mark, wanted);
  return 'Web built';
}

/** Changes with the name, the size or the time of any source file. */
async function fingerprint(): Promise<string> {
  const hash = createHash('sha256');
  for (const source of sources) {
    const names = source.includes('.') ? [''] : (await readdir(join(root, source), { recursive: true })).toSorted();
    for (const name of names.filter((candidate) => !notSources.test(candidate))) {
      const { size, mtimeMs } = await stat(join(root, source, name));
      hash.update(`${source}/${name} ${size} ${mtimeMs}\n`);
    }
  }
  return hash.digest('hex');
}
