import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Each row contains a file name, a line of code that must be rejected in this file, and a part of the error message. */
const rejected = [
  ['packages/shared/src/a.ts', `import '../../../apps/api/src/x.ts';`, 'shared imports zod only'],
  ['packages/shared/src/b.ts', `export * from 'node:fs';`, 'shared imports zod only'],
  ['packages/shared/src/c.ts', `import type { X } from 'mongodb';`, 'shared imports zod only'],
  ['apps/web/src/lib/a.ts', `import '@rtr/api';`, 'Apps do not import each other'],
  ['apps/web/test/a.ts', `import '../../api/src/app.ts';`, 'Apps do not import each other'],
  ['apps/e2e/a.ts', `import type { X } from '@rtr/web';`, 'Apps do not import each other'],
  ['apps/api/src/a.ts', `import '@rtr/dev-stack/mongodb';`, 'does not import dev-stack'],
  ['apps/web/server/c.ts', `import '@rtr/dev-stack/mongodb';`, 'does not import dev-stack'],
  ['apps/api/src/services/services.store.ts', `import type { Request } from 'express';`, 'Only routes depend on HTTP'],
  ['apps/api/src/reviews/d.store.ts', `import type { X } from '../http/problem.ts';`, 'Only routes depend on HTTP'],
  ['apps/api/src/services/b.ts', `import type { X } from '../http/problem.ts';`, 'Only routes depend on HTTP'],
  ['apps/api/src/database/a.ts', `import { x } from '../http/problem.ts';`, 'Only routes depend on HTTP'],
  ['apps/api/src/errors.ts', `import { x } from './http/problem.ts';`, 'Only routes depend on HTTP'],
  ['apps/api/src/accounts/a.ts', `import { x } from '../quotas/quotas.store.ts';`, 'Import its type only'],
  ['apps/api/src/reviews/a.ts', `import { x } from '../services/services.store.ts';`, 'Import its type only'],
  ['apps/api/src/services/c.ts', `import { x } from '../pictures/pictures.store.ts';`, 'Import its type only'],
  ['apps/web/server/a.ts', `import { routes } from '../src/router.tsx';`, 'only entry-server.tsx'],
  ['apps/web/src/features/reviews/a.ts', `import type { X } from '../services/queries.ts';`, 'Features do not import'],
  [
    'apps/web/src/features/reviews/b.ts',
    `export const x = () => import('../auth/session.ts');`,
    'Features do not import',
  ],
  ['apps/web/src/features/reviews/c.ts', `export * from '../../routes/home.tsx';`, 'do not import routes'],
  ['apps/web/src/lib/b.ts', `export * from '../features/auth/session.ts';`, 'do not import routes or features'],
  ['apps/web/src/lib/d.ts', `export * from '../ui/button.tsx';`, 'lib does not import ui'],
  ['apps/web/src/ui/a.ts', `export * from '../router.tsx';`, 'do not import routes or features'],
  ['apps/web/src/ui/b.tsx', 'export const ReviewCard = () => null;', `'ReviewCard' names a thing of this product`],
  ['apps/web/src/ui/f.ts', `export const text = 'No reviews yet';`, `'No reviews yet' names a thing of this product`],
  ['apps/web/src/ui/g.ts', 'export const text = (n: number) => `${n} services`;', `' services' names a thing`],
  ['apps/web/src/ui/h.tsx', 'export const x = <p>Our kitchen</p>;', `'Our kitchen' names a thing of this product`],
  ['apps/web/src/ui/c.ts', `import { Form } from 'react-router-dom';`, 'Use ui/form.tsx'],
  ['apps/web/src/ui/e.tsx', `export const x = <form />;`, 'Use ui/form.tsx'],
  ['apps/api/src/b.ts', `export { env } from 'node:process';`, 'read the environment'],
  ['apps/web/src/lib/c.ts', 'export const x = process.env.PORT;', 'process.env'],
  ['apps/api/src/c.ts', 'export const ratting = 1;', 'misspelt'],
  ['apps/api/src/d.ts', 'export const f = ({ a: costomerImg }: { a: 1 }) => costomerImg;', 'misspelt'],
  ['apps/api/src/e.ts', 'export const f = (costomerImg: string) => costomerImg;', 'misspelt'],
  ['apps/api/src/f.ts', 'export const x = (text: string) => /\\s+$/.test(text);', 'quadratic'],
  ['apps/api/src/g.ts', 'export const x = (text: string) => /^(a+)+$/.test(text);', 'exponential'],
  ['apps/api/src/h.ts', 'export const x = (pattern: string) => new RegExp(pattern);', 'Write a literal'],
] as const;

const accepted = [
  ['packages/shared/src/d.ts', `export * from 'zod/mini';`],
  ['packages/shared/src/e.ts', `export * from './d.ts';`],
  ['apps/web/test/b.ts', `export * from '../src/lib/b.ts';`],
  ['apps/api/test/a.ts', `export * from '@rtr/dev-stack/mongodb';`],
  ['apps/api/src/services/services.routes.ts', `export * from 'express';`],
  ['apps/api/src/reviews/b.ts', `export type { X } from '../services/services.store.ts';`],
  ['apps/api/src/reviews/c.ts', `export * from './reviews.store.ts';`],
  ['apps/api/src/app.ts', `export * from './services/services.store.ts';`],
  ['apps/api/src/server.ts', 'export const x = process.env.PORT;'],
  ['apps/api/src/i.ts', 'export const f = ({ ratting }: { ratting: string }) => [ratting, { ratting }];'],
  ['apps/web/server/b.ts', `export * from '../src/entry-server.tsx';`],
  ['apps/web/src/features/reviews/d.ts', `export * from '../../ui/button.tsx';`],
  ['apps/web/src/routes/a.ts', `export * from '../features/reviews/d.ts';`],
  ['apps/web/src/ui/d.ts', `export const preview = (text: string) => text;`],
] as const;

/**
 * The generated files, with their number of lines. The last line of each file is code, and all other lines are
 * comments.
 */
const lengths = {
  'apps/api/src/long.ts': 251,
  'apps/api/src/short.ts': 250,
  'apps/api/src/seed/reviews.ts': 251,
  'apps/web/test/long.test.tsx': 251,
};

const copy = mkdtempSync(join(tmpdir(), 'rtr-lint-'));
let messages: Map<string, string>;

beforeAll(() => {
  for (const name of ['oxlint.config.ts', 'tooling/import-rules.ts', 'tooling/name-rules.ts'])
    cpSync(join(root, name), join(copy, name));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  const long = Object.entries(lengths).map(
    ([file, length]) => [file, `${'// A comment\n'.repeat(length - 1)}export const x = 1;`] as const,
  );
  for (const [file, code] of [...rejected, ...accepted, ...long]) {
    mkdirSync(join(copy, dirname(file)), { recursive: true });
    writeFileSync(join(copy, file), `${code}\n`);
  }
  const { stdout } = spawnSync(join(root, 'node_modules/.bin/oxlint'), ['-f', 'json', 'apps', 'packages'], {
    cwd: copy,
    encoding: 'utf8',
  });
  const { diagnostics }: { diagnostics: { filename: string; message: string; help?: string }[] } = JSON.parse(stdout);
  const byFile = Map.groupBy(diagnostics, ({ filename }) => filename);
  messages = new Map(
    [...byFile].map(([file, found]) => [file, found.map(({ message, help }) => `${message} ${help}`).join('\n')]),
  );
});

afterAll(() => rmSync(copy, { recursive: true }));

test.each(rejected)('in the file %s, lint rejects `%s` with the message "%s"', (file, _code, message) => {
  expect(messages.get(file)).toContain(message);
});

test.each(accepted)('in the file %s, lint accepts `%s`', (file) => {
  expect(messages.get(file)).toBeUndefined();
});

test('lint rejects a source file of more than 250 lines, unless it contains tests or seed data', () => {
  const tooLong = Object.keys(lengths).filter((file) => messages.get(file)?.includes('too many lines'));
  expect(tooLong).toEqual(['apps/api/src/long.ts']);
});
