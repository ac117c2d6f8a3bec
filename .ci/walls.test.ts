import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import walls from './walls.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A line of code in a file, and the rule that must stop it; without a rule it must pass. */
const samples: { file: string; code: string; rule?: string }[] = [
  { file: 'packages/shared/src/a.ts', code: `import '../../../apps/api/src/x.ts';`, rule: 'walls(apps-stay-apart)' },
  { file: 'packages/shared/src/b.ts', code: `export * from 'node:fs';`, rule: 'walls(shared-imports-zod-only)' },
  {
    file: 'packages/shared/src/c.ts',
    code: `import type { X } from 'mongodb';`,
    rule: 'walls(shared-imports-zod-only)',
  },
  { file: 'packages/shared/src/d.ts', code: `export * from 'zod/mini';` },
  { file: 'packages/shared/src/e.ts', code: `export * from './d.ts';` },
  { file: 'apps/web/src/lib/a.ts', code: `import '@rtr/api';`, rule: 'walls(apps-stay-apart)' },
  { file: 'apps/web/test/a.ts', code: `import '../../api/src/app.ts';`, rule: 'walls(apps-stay-apart)' },
  { file: 'apps/e2e/a.ts', code: `import type { X } from '@rtr/web';`, rule: 'walls(apps-stay-apart)' },
  { file: 'apps/web/test/b.ts', code: `export * from '../src/lib/b.ts';` },
  {
    file: 'apps/api/src/a.ts',
    code: `import '@rtr/dev-stack/mongodb';`,
    rule: 'walls(dev-stack-stays-in-development)',
  },
  { file: 'apps/api/test/a.ts', code: `export * from '@rtr/dev-stack/mongodb';` },
  {
    file: 'apps/api/src/services/services.store.ts',
    code: `import type { Request } from 'express';`,
    rule: 'walls(stores-know-no-http)',
  },
  { file: 'apps/api/src/services/services.routes.ts', code: `export * from 'express';` },
  {
    file: 'apps/api/src/reviews/a.ts',
    code: `import { x } from '../services/services.store.ts';`,
    rule: 'walls(api-features-are-wired-in-app)',
  },
  { file: 'apps/api/src/reviews/b.ts', code: `export type { X } from '../services/services.store.ts';` },
  { file: 'apps/api/src/reviews/c.ts', code: `export * from './reviews.store.ts';` },
  { file: 'apps/api/src/app.ts', code: `export * from './services/services.store.ts';` },
  {
    file: 'apps/web/server/a.ts',
    code: `import { routes } from '../src/router.tsx';`,
    rule: 'walls(web-server-renders-only)',
  },
  { file: 'apps/web/server/b.ts', code: `export * from '../src/entry-server.tsx';` },
  {
    file: 'apps/web/src/features/reviews/a.ts',
    code: `import type { X } from '../services/queries.ts';`,
    rule: 'walls(web-features-stay-apart)',
  },
  {
    file: 'apps/web/src/features/reviews/b.ts',
    code: `export const x = () => import('../auth/session.ts');`,
    rule: 'walls(web-features-stay-apart)',
  },
  {
    file: 'apps/web/src/features/reviews/c.ts',
    code: `export * from '../../routes/home.tsx';`,
    rule: 'walls(web-looks-down)',
  },
  {
    file: 'apps/web/src/lib/b.ts',
    code: `export * from '../features/auth/session.ts';`,
    rule: 'walls(web-looks-down)',
  },
  { file: 'apps/web/src/ui/a.ts', code: `export * from '../router.tsx';`, rule: 'walls(web-looks-down)' },
  { file: 'apps/web/src/features/reviews/d.ts', code: `export * from '../../ui/button.tsx';` },
  { file: 'apps/web/src/routes/a.ts', code: `export * from '../features/reviews/d.ts';` },
  { file: 'apps/api/src/config.ts', code: 'export const x = process.env.PORT;', rule: 'node(no-process-env)' },
  {
    file: 'apps/api/src/b.ts',
    code: `export { env } from 'node:process';`,
    rule: 'eslint(no-restricted-imports)',
  },
  { file: 'apps/web/src/lib/c.ts', code: 'export const x = process.env.PORT;', rule: 'node(no-process-env)' },
  { file: 'apps/api/src/server.ts', code: 'export const x = process.env.PORT;' },
  { file: 'apps/api/src/c.ts', code: 'export const ratting = 1;', rule: 'walls(wire-spelling)' },
  {
    file: 'apps/api/src/d.ts',
    code: 'export const f = ({ picture: costomerImg }: { picture: 1 }) => costomerImg;',
    rule: 'walls(wire-spelling)',
  },
  {
    file: 'apps/api/src/g.ts',
    code: 'export const f = (costomerImg: string) => costomerImg;',
    rule: 'walls(wire-spelling)',
  },
  {
    file: 'apps/api/src/h.ts',
    code: 'export const f = ({ ratting }: { ratting: string }) => [ratting, { ratting }];',
  },
  { file: 'apps/api/src/e.ts', code: 'export function setRatting() { return 1; }', rule: 'walls(wire-spelling)' },
  {
    file: 'apps/api/src/f.ts',
    code: 'export function f({ ratting: claim }: { ratting: string }, x: { ratting: string }) { return { ratting: claim + x.ratting }; }',
  },
];

let house: string;
let faults: Map<string, Set<string>>;

beforeAll(() => {
  house = mkdtempSync(join(tmpdir(), 'rtr-walls-'));
  cpSync(join(root, '.oxlintrc.json'), join(house, '.oxlintrc.json'));
  cpSync(join(root, '.ci/walls.ts'), join(house, '.ci/walls.ts'));
  for (const { file, code } of samples) {
    mkdirSync(join(house, dirname(file)), { recursive: true });
    writeFileSync(join(house, file), `${code}\n`);
  }
  const run = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-c', '.oxlintrc.json', '-f', 'json'], {
    cwd: house,
    encoding: 'utf8',
  });
  const { diagnostics }: { diagnostics: { code: string; filename: string }[] } = JSON.parse(run.stdout);
  faults = new Map(samples.map(({ file }) => [file, new Set()]));
  for (const { code, filename } of diagnostics) faults.get(filename)?.add(code);
});

afterAll(() => rmSync(house, { recursive: true, force: true }));

const isWall = (code: string) => /^walls|process-env|restricted-imports/.test(code);

test.each(samples.filter(({ rule }) => rule))('$rule stops `$code` in $file', ({ file, rule }) => {
  expect([...(faults.get(file) ?? [])].filter(isWall)).toContain(rule);
});

test.each(samples.filter(({ rule }) => !rule))('`$code` may stand in $file', ({ file }) => {
  expect([...(faults.get(file) ?? [])].filter(isWall)).toEqual([]);
});

test('every wall has been seen to stop something', () => {
  const seen = new Set(samples.map(({ rule }) => rule));
  expect(Object.keys(walls.rules).filter((name) => !seen.has(`walls(${name})`))).toEqual([]);
});
