import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

// Creates the secrets of an installation: `secrets <folder of the API> <folder of migrate> <folder of the database>`. An
// existing file stays as it is, so this can run any number of times, also concurrently. The API itself never creates a secret:
// two instances would disagree.
const [apiFolder, migrateFolder, databaseFolder] = process.argv.slice(2);
if (apiFolder === undefined || migrateFolder === undefined || databaseFolder === undefined) {
  process.stderr.write('Name three folders: those of the API, of migrate and of the database.\n');
  process.exit(1);
}

const hex = () => randomBytes(32).toString('hex');
makeOnce(databaseFolder, 'keyfile', () => randomBytes(756).toString('base64'));
makeOnce(databaseFolder, 'root-password', hex);
makeOnce(
  apiFolder,
  'jwt-secrets',
  () => `${new Date().toISOString().slice(0, 10)}:${randomBytes(32).toString('base64')}`,
);
// Each database user's password for the database, and the address that holds it for the user itself.
for (const [user, folder] of [
  ['api', apiFolder],
  ['migrate', migrateFolder],
] as const) {
  const password = makeOnce(databaseFolder, `${user}-password`, hex);
  // A majority of the replica set has each write in its journal before it is acknowledged.
  const options = 'replicaSet=rs0&authSource=admin&w=majority&journal=true';
  makeOnce(folder, 'mongodb-uri', () => `mongodb://${user}:${password}@mongodb:27017/?${options}`);
}

/** Answers what the file holds. It appears whole or not at all, and never takes the place of another. */
function makeOnce(folder: string, name: string, make: () => string): string {
  const file = join(folder, name);
  const draft = join(folder, `.${name}-${hex()}`);
  mkdirSync(folder, { recursive: true });
  // Whoever reads it belongs to its group.
  const handle = openSync(draft, 'wx', 0o440);
  try {
    writeSync(handle, make());
    fsyncSync(handle);
    linkSync(draft, file);
    process.stdout.write(`${file} is made.\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    process.stdout.write(`${file} is there already.\n`);
  } finally {
    closeSync(handle);
    rmSync(draft, { force: true });
  }
  return readFileSync(file, 'utf8');
}
