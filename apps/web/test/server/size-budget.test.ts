import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sizeBudget } from '../../server/size-budget.ts';

let folder = '';
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'size-budget-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** Creates random text with approximately this number of kilobytes after gzip. */
const text = (kilobytes: number) => JSON.stringify(randomBytes(kilobytes * 1000).toString('base64'));

/**
 * Writes the source of a small app whose parts have these sizes in kilobytes. The entry script and the page `one` import the
 * module `first`. The pages `one` and `other` import the module `shared`.
 */
async function app({ entry = 1, page = 1, sharedByPages = 1 }) {
  const files = {
    'index.html': '<!doctype html><title>Kitchen</title><script type="module" src="/src/main.js"></script>',
    'src/main.js': `import { first } from './first.js'; console.log(first); globalThis.pages = [() => import('./routes/one.js'), () => import('./routes/other.js')];`,
    'src/first.js': `export const first = ${text(entry)};`,
    'src/shared.js': `export const shared = ${text(sharedByPages)};`,
    'src/routes/one.js': `import { first } from '../first.js'; import { shared } from '../shared.js'; console.log(first, shared, ${text(page)});`,
    'src/routes/other.js': `import { shared } from '../shared.js'; console.log(shared);`,
  };
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

const built = (...plugins: NonNullable<Parameters<typeof build>[0]>['plugins'] & object) =>
  build({ root: folder, configFile: false, logLevel: 'silent', build: { minify: false }, plugins });
const limits = { home: 10_000, route: 5_000 };

describe('the web build with size limits', () => {
  test('succeeds when all sizes are within the limits, and does not count the modules of the entry script as part of a page', async () => {
    await app({ entry: 6, page: 1, sharedByPages: 2 });
    await expect(built(sizeBudget(limits))).resolves.toBeDefined();
  });

  test('fails when the script of the first page is too large, with an error that states the size and the limit', async () => {
    await app({ entry: 12 });
    await expect(built(sizeBudget(limits))).rejects.toThrow(
      /script of the first page weighs 1\d{4} bytes of gzip; the limit is 10000\./,
    );
  });

  test('fails when the total size of a page and of the modules that it shares with other pages exceeds the limit', async () => {
    await app({ page: 3, sharedByPages: 3 });
    await expect(built(sizeBudget(limits))).rejects.toThrow(
      /script of the page one weighs 6\d{3} bytes of gzip; the limit is 5000\./,
    );
  });
});
