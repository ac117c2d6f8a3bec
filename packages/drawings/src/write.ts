// Writes all pictures into the public folder of the web app. With --check, only lists the files that would change.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { avatars, favicon } from './avatars.ts';
import { scenes } from './catalogue.ts';
import { heroes } from './heroes.ts';
import { renderIco } from './ico.ts';
import { preview } from './preview.ts';
import { drawScene, noReview, notFound, placeholder } from './scenes.ts';

const target = path.resolve(import.meta.dirname, '../../../apps/web/public');

const files = new Map<string, string | Uint8Array>([
  ...Object.entries(scenes).map(([slug, scene]) => [`pictures/${slug}.svg`, drawScene(scene)] as const),
  ...Object.entries(heroes).map(([name, draw]) => [`pictures/${name}.svg`, draw()] as const),
  ...avatars.map((drawing, index) => [`pictures/avatar-${index + 1}.svg`, drawing] as const),
  ['pictures/no-review.svg', noReview()],
  ['pictures/placeholder.svg', placeholder()],
  ['pictures/not-found.svg', notFound()],
  ['favicon.svg', favicon],
  ['favicon.ico', renderIco(favicon)],
  ['pictures/preview.png', preview()],
]);

const stored = async (name: string): Promise<Buffer | undefined> => {
  try {
    return await readFile(path.join(target, name));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
};

const differing: string[] = [];
for (const [name, content] of files) if (!(await stored(name))?.equals(Buffer.from(content))) differing.push(name);

if (process.argv.includes('--check')) {
  for (const name of differing)
    process.stderr.write(`apps/web/public/${name} differs from what packages/drawings draws\n`);
  if (differing.length > 0) process.exitCode = 1;
} else {
  await mkdir(path.join(target, 'pictures'), { recursive: true });
  for (const name of differing) await writeFile(path.join(target, name), files.get(name) ?? '');
  process.stdout.write(`${files.size} pictures, ${differing.length} written\n`);
}
