import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

// Makes the secrets of an installation, once: `secrets <folder of the API> <folder of the database>`. What is there stays
// as it is, so it may run any number of times, also at once. The API itself never makes one: two of them would disagree.
const [apiFolder, databaseFolder] = process.argv.slice(2);
if (apiFolder === undefined || databaseFolder === undefined) {
  process.stderr.write('Name two folders: the one of the API, and the one of the database.\n');
  process.exit(1);
}

const hex = () => randomBytes(32).toString('hex');
makeOnce(databaseFolder, 'keyfile', () => randomBytes(756).toString('base64'));
makeOnce(databaseFolder, 'root-password', hex);
const password = makeOnce(databaseFolder, 'api-password', hex);
makeOnce(
  apiFolder,
  'jwt-secrets',
  () => `${new Date().toISOString().slice(0, 10)}:${randomBytes(32).toString('base64')}`,
);
// A majority of the replica set has each write in its journal before it is acknowledged.
makeOnce(
  apiFolder,
  'mongodb-uri',
  () => `mongodb://api:${password}@mongodb:27017/?replicaSet=rs0&authSource=admin&w=majority&journal=true`,
);

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
