import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

// The secrets command, `secrets <folder of the API> <folder of migrate> <folder of the database>`, creates the secrets of an
// installation. It never changes existing files, so it can be repeated, and even run twice at the same time. The API itself
// does not create the secrets, because two instances would create different secrets.
const [apiFolder, migrateFolder, databaseFolder] = process.argv.slice(2);
if (apiFolder === undefined || migrateFolder === undefined || databaseFolder === undefined) {
  process.stderr.write('Usage: secrets <folder of the API> <folder of migrate> <folder of the database>\n');
  process.exit(1);
}

const randomHex = () => randomBytes(32).toString('hex');
createOnce(databaseFolder, 'keyfile', () => randomBytes(756).toString('base64'));
createOnce(databaseFolder, 'root-password', randomHex);
createOnce(
  apiFolder,
  'jwt-secrets',
  () => `${new Date().toISOString().slice(0, 10)}:${randomBytes(32).toString('base64')}`,
);
// There are two files for each of these database users. deploy/replica-set.js reads the file with the password and creates
// the user. The program that connects as this user reads the file with the connection string.
for (const [user, folder] of [
  ['api', apiFolder],
  ['migrate', migrateFolder],
] as const) {
  const password = createOnce(databaseFolder, `${user}-password`, randomHex);
  // With these options, a write is acknowledged when it is in the journal of a majority of the replica set.
  const options = 'replicaSet=rs0&authSource=admin&w=majority&journal=true';
  createOnce(folder, 'mongodb-uri', () => `mongodb://${user}:${password}@mongodb:27017/?${options}`);
}

/**
 * Creates a file if it does not exist, and returns its content. The content is written to a temporary file, to which the
 * final name is then linked. So no process reads an incomplete file, and no existing file is replaced.
 */
function createOnce(folder: string, name: string, createContent: () => string): string {
  const file = join(folder, name);
  const temporaryFile = join(folder, `.${name}-${randomHex()}`);
  mkdirSync(folder, { recursive: true });
  try {
    // The group can read the file, because the process that needs the file belongs to this group.
    writeFileSync(temporaryFile, createContent(), { flag: 'wx', mode: 0o440, flush: true });
    linkSync(temporaryFile, file);
    process.stdout.write(`${file} was created.\n`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    process.stdout.write(`${file} already exists.\n`);
  } finally {
    rmSync(temporaryFile, { force: true });
  }
  return readFileSync(file, 'utf8');
}
