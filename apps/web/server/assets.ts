import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from 'vite';
import type { RendererOptions } from '../src/entry-server.tsx';

const entryModule = 'src/entry-client.tsx';

/** Returns functions that find the built files of a page in Vite's manifest. */
export function builtAssets(clientFolder: string): Pick<RendererOptions, 'entry' | 'assetsOf'> {
  const manifest = JSON.parse(readFileSync(join(clientFolder, '.vite/manifest.json'), 'utf8')) as Manifest;
  const entry = manifest[entryModule];
  if (!entry) throw new Error(`The manifest in ${clientFolder} has no ${entryModule}: build the web app again.`);

  /** Returns the chunks of the modules and of their static imports. */
  const closure = (modules: readonly string[]) => {
    const visited = new Set<string>();
    const waiting = [...modules];
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      const chunk = manifest[name];
      if (!chunk || visited.has(name)) continue;
      visited.add(name);
      waiting.push(...(chunk.imports ?? []));
    }
    return [...visited].flatMap((name) => manifest[name] ?? []);
  };
  const assetsOf = (routeIds: readonly string[]) => {
    const chunks = closure([entryModule, ...routeIds.map((id) => `src/${id}.tsx`)]);
    return {
      styles: [...new Set(chunks.flatMap(({ css = [] }) => css))].map((file) => `/${file}`),
      modulePreloads: chunks.filter((chunk) => chunk !== entry).map(({ file }) => `/${file}`),
    };
  };
  return { entry: `/${entry.file}`, assetsOf };
}
