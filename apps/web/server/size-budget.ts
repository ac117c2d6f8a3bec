import { gzipSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { withStaticImports } from './static-imports.ts';

/** Size limits in bytes, after gzip compression. */
interface Limits {
  /** The limit for the total size of the scripts that the browser needs to start the home page. */
  home: number;
  /** The limit for the total size of the scripts that any other page needs in addition to the scripts of the home page. */
  route: number;
}

interface Weight {
  what: string;
  bytes: number;
  limit: number;
}

/**
 * Creates a Vite plugin that logs the sizes of the scripts, and fails the build if a size exceeds its limit.
 */
export function sizeBudget(limits: Limits): Plugin {
  let log: (line: string) => void;
  return {
    name: 'size-budget',
    apply: 'build',
    configResolved({ logger }) {
      log = (line) => logger.info(line);
    },
    writeBundle: {
      order: 'post',
      handler(_options, bundle) {
        const weights = scripts(bundle, limits);
        for (const { what, bytes, limit } of weights)
          log(`${kilobytes(bytes)} ${what}${limit < Number.POSITIVE_INFINITY ? `, at most ${kilobytes(limit)}` : ''}`);
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
  const chunks = new Map(
    Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file] as const] : [])),
  );
  const all = [...chunks.values()];
  const closureOf = (entries: Rolldown.OutputChunk[]) =>
    withStaticImports(
      entries.map(({ fileName }) => fileName),
      (name) => chunks.get(name)?.imports,
    );
  const first = closureOf(all.filter(({ isEntry }) => isEntry));
  const bytes = (names: Iterable<string>) =>
    [...names].reduce((sum, name) => sum + gzipped(chunks.get(name)?.code ?? ''), 0);
  const later = all
    .filter(({ isDynamicEntry }) => isDynamicEntry)
    .map((chunk) => ({
      what: chunk.name,
      bytes: bytes([...closureOf([chunk])].filter((name) => !first.has(name))),
      isRoute: chunk.facadeModuleId?.includes('/src/routes/') ?? false,
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

const gzipped = (content: string) => gzipSync(content, { level: 9 }).byteLength;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;
