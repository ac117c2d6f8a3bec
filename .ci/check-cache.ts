import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `shared` has no build of its own, so nothing but turbo.json makes its changes miss the cache of those who import it.
// This changes one file of `shared` in a copy, without its node_modules, and compares what turbo would look up.

const root = fileURLToPath(new URL('..', import.meta.url));
const turbo = join(root, 'node_modules/turbo/bin/turbo');
const tasks = ['lint', 'typecheck', 'build'];
const apps = ['@rtr/api', '@rtr/web'];

function hashes(directory: string): Map<string, string> {
  const args = ['run', ...tasks, ...apps.map((app) => `--filter=${app}`), '--dry=json', '--no-update-notifier'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [turbo, ...args], {
    cwd: directory,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
    env: { ...process.env, TURBO_TELEMETRY_DISABLED: '1' },
  });
  if (status !== 0) throw new Error(`turbo could not plan its tasks:\n${stderr}${stdout}`);
  const plan: { tasks: { taskId: string; hash: string }[] } = JSON.parse(stdout.slice(stdout.indexOf('{')));
  return new Map(plan.tasks.map(({ taskId, hash }) => [taskId, hash]));
}

const copy = mkdtempSync(join(tmpdir(), 'rtr-cache-'));
process.once('exit', () => rmSync(copy, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
for (const file of listing.toString().split('\0')) {
  if (file === '' || file.includes('/public/') || !existsSync(join(root, file))) continue;
  cpSync(join(root, file), join(copy, file));
}
execFileSync('git', ['init', '--quiet'], { cwd: copy });

const before = hashes(copy);
appendFileSync(join(copy, 'packages/shared/src/service.ts'), '\n// changed\n');
const after = hashes(copy);

const stale = apps
  .flatMap((app) => tasks.map((task) => `${app}#${task}`))
  .filter((id) => !before.has(id) || before.get(id) === after.get(id));
if (stale.length > 0) {
  process.stderr.write(`A change in packages/shared would replay these from the cache: ${stale.join(', ')}\n`);
  process.exitCode = 1;
}
