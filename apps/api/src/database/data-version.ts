import type { Db } from 'mongodb';
import { readTimeout } from './client.ts';
import { getCollections } from './collections.ts';

/** The version of the data that this release needs. `.github/CONTRIBUTING.md` says when a change of the data raises it. */
const dataVersion = 1;

/** Thrown when the data of a database has another version. The message names both versions and says what to do. */
export class DataVersionError extends Error {}

const versionsOf = (db: Db) => db.collection<{ _id: string; version: number }>('versions');

/** Returns false if the database is empty. Throws a DataVersionError if its data has another version than `dataVersion`. */
export async function hasDataVersion(db: Db): Promise<boolean> {
  const found = await versionsOf(db).findOne({ _id: 'data' }, readTimeout);
  if (found?.version === dataVersion) return true;
  if (!found && (await isEmpty(db))) return false;
  const [foundVersion, advice] = found
    ? [`the version ${found.version}`, 'Run a newer release of the product']
    : ['no version', 'It was written before release 1.0.0 and cannot be converted. Use another database'];
  throw new DataVersionError(
    [
      `The data in the database ${db.databaseName} has ${foundVersion}, but this release needs the version ${dataVersion}. Nothing was changed.`,
      `${advice}, or delete the data. This command deletes all data of \`start\` and \`dev\` on this machine:`,
      '  rm -r .data',
    ].join('\n'),
  );
}

/** Throws an error unless `migrate` has prepared the database for this release. */
export async function requireDataVersion(db: Db): Promise<void> {
  if (!(await hasDataVersion(db)))
    throw new DataVersionError(`The database ${db.databaseName} is empty. Run the migrate command first.`);
}

export async function writeDataVersion(db: Db): Promise<void> {
  await versionsOf(db).updateOne({ _id: 'data' }, { $set: { version: dataVersion } }, { upsert: true });
}

async function isEmpty(db: Db): Promise<boolean> {
  const { services, reviews, accounts } = getCollections(db);
  const found = await Promise.all([services, reviews, accounts].map((rows) => rows.findOne({}, readTimeout)));
  return found.every((document) => document === null);
}
