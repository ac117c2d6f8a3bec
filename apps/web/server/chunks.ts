import type { Rolldown } from 'vite';

export type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** The scripts of a build by their file names. */
export function chunksOf(bundle: Rolldown.OutputBundle): Chunks {
  return new Map(Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file]] : [])));
}

/** The scripts that index.html starts from, and all that they import before they run. */
export function firstOf(chunks: Chunks): Set<string> {
  const entries = [...chunks.values()].filter(({ isEntry }) => isEntry);
  return closure(
    chunks,
    entries.map(({ fileName }) => fileName),
  );
}

/** These scripts, and all that they import before they run. */
export function closure(chunks: Chunks, names: readonly string[]): Set<string> {
  const known = new Set<string>();
  const waiting = [...names];
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (known.has(name)) continue;
    known.add(name);
    waiting.push(...(chunks.get(name)?.imports ?? []));
  }
  return known;
}
