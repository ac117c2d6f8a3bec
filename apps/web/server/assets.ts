import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Manifest } from 'vite';
import type { RendererOptions } from '../src/entry-server.tsx';
import { withStaticImports } from './static-imports.ts';

const loaderModule = 'src/load-scripts.ts';
const appModule = 'src/entry-client.tsx';

/**
 * Reads the manifest file that Vite writes during the build. Returns the URL of the script that loads the other scripts, and
 * a function that returns the styles and scripts of a page.
 */
export function builtAssets(clientFolder: string): Pick<RendererOptions, 'entry' | 'assetsOf'> {
  const manifest = JSON.parse(readFileSync(join(clientFolder, '.vite/manifest.json'), 'utf8')) as Manifest;
  const [loader, app] = [loaderModule, appModule].map((name) => manifest[name]);
  if (!loader || !app) throw new Error(`The manifest in ${clientFolder} has no scripts: build the web app again.`);

  const assetsOf = (routeIds: readonly string[]) => {
    const modules = [appModule, ...routeIds.map((id) => `src/${id}.tsx`)];
    const names = withStaticImports(modules, (name) => manifest[name]?.imports);
    const chunks = [...names].flatMap((name) => manifest[name] ?? []);
    return {
      styles: [...new Set(chunks.flatMap(({ css = [] }) => css))].map((file) => `/${file}`),
      app: `/${app.file}`,
      routeScripts: chunks.filter((chunk) => chunk !== app).map(({ file }) => `/${file}`),
    };
  };
  return { entry: `/${loader.file}`, assetsOf };
}
