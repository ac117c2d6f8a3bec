import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';

/** In bytes of gzip. */
interface Limits {
  /** All the script that the first page needs before it shows. */
  home: number;
  /** What each further page adds to it. */
  route: number;
  /** Each picture of home's carousel. */
  hero: number;
}

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

interface Weight {
  what: string;
  bytes: number;
  limit: number;
}

/** Weighs what was built, says so, and fails the build when something is too heavy. */
export function budget(limits: Limits): Plugin {
  let pictures = '';
  let say: (line: string) => void;
  return {
    name: 'budget',
    apply: 'build',
    configResolved({ publicDir, logger }) {
      pictures = join(publicDir, 'pictures');
      say = (line) => logger.info(line);
    },
    writeBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const weights = [...scripts(bundle, limits), ...(await heroes(pictures, limits.hero))];
        for (const { what, bytes, limit } of weights)
          say(`${kilobytes(bytes)} ${what}${limit < Number.POSITIVE_INFINITY ? `, at most ${kilobytes(limit)}` : ''}`);
        const over = weights.filter(({ bytes, limit }) => bytes > limit);
        if (over.length > 0)
          this.error(
            over
              .map(({ what, bytes, limit }) => `${what} weighs ${bytes} bytes of gzip; the limit is ${limit}.`)
              .join('\n'),
          );
      },
    },
  };
}

function scripts(bundle: Rolldown.OutputBundle, limits: Limits): Weight[] {
  const chunks = chunksOf(bundle);
  const all = [...chunks.values()];
  const first = firstOf(chunks);
  const bytes = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipped(chunks.get(name)?.code ?? ''), 0);
  const later = all
    .filter(({ isDynamicEntry }) => isDynamicEntry)
    .map(({ fileName, name, facadeModuleId }) => ({
      what: name,
      bytes: bytes([...closure(chunks, [fileName])].filter((one) => !first.has(one))),
      isRoute: facadeModuleId?.includes('/src/routes/') ?? false,
    }))
    .toSorted((one, other) => other.bytes - one.bytes);
  return [
    { what: 'script of the first page', bytes: bytes(first), limit: limits.home },
    ...later.map(({ what, bytes, isRoute }) => ({
      what: isRoute ? `script of the page ${what}` : `script of ${what}, on need`,
      bytes,
      limit: isRoute ? limits.route : Number.POSITIVE_INFINITY,
    })),
  ];
}

/** The scripts of a build by their file names. */
function chunksOf(bundle: Rolldown.OutputBundle): Chunks {
  return new Map(Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
}

/** The scripts that a page starts from, and all that they import before they run. */
function firstOf(chunks: Chunks): Set<string> {
  const entries = [...chunks.values()].filter(({ isEntry }) => isEntry);
  return closure(
    chunks,
    entries.map(({ fileName }) => fileName),
  );
}

/** These scripts, and all that they import before they run. */
function closure(chunks: Chunks, names: readonly string[]): Set<string> {
  const known = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (known.has(name)) continue;
    known.add(name);
    waiting.push(...(chunks.get(name)?.imports ?? []));
  }
  return known;
}

async function heroes(folder: string, limit: number): Promise<Weight[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /^hero-.*\.svg$/.test(name));
  return Promise.all(
    names.map(async (name) => ({
      what: `picture ${basename(name)}`,
      bytes: gzipped(await readFile(join(folder, name))),
      limit,
    })),
  );
}

const gzipped = (content: string | Uint8Array) => gzipSync(content, { level: 9 }).byteLength;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
