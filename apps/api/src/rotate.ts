import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';

// One step of giving the API another secret: `rotate <add, promote or drop> <file of JWT_SECRETS>`. Prints no secret.
// docs/operations.md says what to do between the steps.

/** A token's hour, and what clocks and deployments are apart. */
const waitMinutes = 65;

const [step = '', file = '', now] = process.argv.slice(2);
const steps: Record<string, (secrets: string[]) => string[]> = {
  add(secrets) {
    if (secrets.length > 1) throw new Error('A rotation is under way: promote or drop first.');
    return [...secrets, `${freeKid(secrets)}:${randomBytes(32).toString('base64')}`];
  },
  promote([current, next, ...others]) {
    if (current === undefined || next === undefined) throw new Error('There is no second secret: add one first.');
    return [next, current, ...others];
  },
  drop(secrets) {
    if (secrets.length < 2) throw new Error('There is one secret, which signs: add another first.');
    const minutes = Math.ceil(waitMinutes - (Date.now() - statSync(file).mtimeMs) / 60_000);
    if (minutes > 0 && now !== '--now')
      throw new Error(
        `Wait ${minutes} minutes more, for the last token of the old secret. A leaked one goes with --now.`,
      );
    return secrets.slice(0, -1);
  },
};

try {
  const change = steps[step];
  if (!change || !file) throw new Error('Write: rotate add|promote|drop <file of JWT_SECRETS> [--now]');
  const secrets = change(readFileSync(file, 'utf8').trim().split(','));
  replace(file, secrets.join(','));
  const [signs, ...others] = secrets.map(kidOf);
  process.stdout.write(`${[`${signs} signs`, ...others.map((kid) => `${kid} is accepted`)].join(', ')}.\n`);
} catch (error) {
  process.stderr.write(`Nothing was changed. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function kidOf(secret: string): string {
  return secret.trim().split(':')[0] ?? '';
}

/** Today, or today.2 and so on. */
function freeKid(secrets: readonly string[]): string {
  const kids = new Set(secrets.map(kidOf));
  const today = new Date().toISOString().slice(0, 10);
  let kid = today;
  for (let turn = 2; kids.has(kid); turn += 1) kid = `${today}.${turn}`;
  return kid;
}

/** Whoever reads the file meets the old list or the new one. */
function replace(name: string, content: string): void {
  const draft = `${name}.next`;
  rmSync(draft, { force: true });
  const handle = openSync(draft, 'wx', statSync(name).mode & 0o777);
  writeSync(handle, content);
  fsyncSync(handle);
  closeSync(handle);
  renameSync(draft, name);
}
