import type { Plugin, Rolldown } from 'vite';
import { chunksOf, closure, firstOf } from './chunks.ts';

const place = 'var scripts = {};';

/** Tells index.html these pages' own scripts, so that they are fetched beside the entry and not after it. */
export function early(routes: readonly string[]): Plugin {
  return {
    name: 'early',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        if (!html.includes(place)) throw new Error(`index.html has no \`${place}\` for the scripts of pages.`);
        return html.replace(place, `var scripts = ${JSON.stringify(pageScripts(bundle ?? {}, routes))};`);
      },
    },
  };
}

/** By the name of its route's file: what a page imports that the entry does not hold. */
function pageScripts(bundle: Rolldown.OutputBundle, routes: readonly string[]): Record<string, string[]> {
  const chunks = chunksOf(bundle);
  const first = firstOf(chunks);
  return Object.fromEntries(
    routes.map((route) => {
      const page = [...chunks.values()].find(({ facadeModuleId }) =>
        facadeModuleId?.endsWith(`/src/routes/${route}.tsx`),
      );
      if (!page) throw new Error(`No script was built for the page ${route}.`);
      const own = [...closure(chunks, [page.fileName])].filter((name) => !first.has(name));
      return [route, own.map((name) => `/${name}`)];
    }),
  );
}
