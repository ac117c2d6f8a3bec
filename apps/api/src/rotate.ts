import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';

// The rotate command, `rotate add|promote|drop <file of JWT_SECRETS>`, runs one step of a rotation of the JWT secret. It
// never prints a secret. docs/operations.md says what to do between the steps.

/**
 * How long an old secret must be kept: the lifetime of an access token, and additional time for clock differences and
 * deployments.
 */
const minutesBeforeDrop = 65;

const [step = '', file = '', flag] = process.argv.slice(2);
const steps: Record<string, (secrets: string[]) => string[]> = {
  add(secrets) {
    if (secrets.length > 1) throw new Error('A rotation is in progress: promote or drop first.');
    return [...secrets, `${createKid(secrets)}:${randomBytes(32).toString('base64')}`];
  },
  promote([current, next, ...others]) {
    if (current === undefined || next === undefined) throw new Error('There is no second secret: add one first.');
    return [next, current, ...others];
  },
  drop(secrets) {
    if (secrets.length < 2) throw new Error('There is only the secret that signs: add another first.');
    const minutes = Math.ceil(minutesBeforeDrop - (Date.now() - statSync(file).mtimeMs) / 60_000);
    if (minutes > 0 && flag !== '--now')
      throw new Error(
        `Wait ${minutes} minutes more, until the last token of the old secret has expired. Use --now if the secret has leaked.`,
      );
    return secrets.slice(0, -1);
  },
};

try {
  const runStep = steps[step];
  if (!runStep || !file) throw new Error('Usage: rotate add|promote|drop <file of JWT_SECRETS> [--now]');
  const secrets = runStep(readFileSync(file, 'utf8').trim().split(','));
  replaceFile(file, secrets.join(','));
  const [signingKid, ...otherKids] = secrets.map(readKid);
  process.stdout.write(`${[`${signingKid} signs`, ...otherKids.map((kid) => `${kid} is accepted`)].join(', ')}.\n`);
} catch (error) {
  process.stderr.write(`Nothing was changed. ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}

function readKid(secret: string): string {
  return secret.trim().split(':')[0] ?? '';
}

/**
 * Creates the key id (kid) of a new secret: today's date. If another secret has this id, appends `.2`, or the next free
 * number.
 */
function createKid(secrets: readonly string[]): string {
  const kids = new Set(secrets.map(readKid));
  const today = new Date().toISOString().slice(0, 10);
  let kid = today;
  for (let number = 2; kids.has(kid); number += 1) kid = `${today}.${number}`;
  return kid;
}

/** Replaces the file atomically, so that another process reads either the old or the new content. */
function replaceFile(name: string, content: string): void {
  const temporaryFile = `${name}.next`;
  rmSync(temporaryFile, { force: true });
  writeFileSync(temporaryFile, content, { flag: 'wx', mode: statSync(name).mode & 0o777, flush: true });
  renameSync(temporaryFile, name);
}
