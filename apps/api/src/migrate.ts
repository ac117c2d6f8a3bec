import { config as loadDotenv } from 'dotenv';
import { MongoClient } from 'mongodb';
import { ConfigError, loadConfig } from './config.ts';
import { collectionsOf, migrate } from './database.ts';
import { markListerReviews } from './reviews/mark-lister-reviews.ts';

// Makes collections, validators and indexes that are not there yet, and brings rows of the version before up to date. May run any number of times, also while the API runs.
loadDotenv({ quiet: true });
try {
  const config = loadConfig(process.env);
  // Without the deadlines of requests: building an index over many rows takes minutes.
  const client = new MongoClient(config.mongodbUri, { writeConcern: { w: 'majority' } });
  try {
    const db = client.db(config.mongodbDatabase);
    await migrate(db);
    const marked = await markListerReviews(collectionsOf(db));
    if (marked > 0) process.stdout.write(`Reviews by the lister of their service that were marked: ${marked}.\n`);
  } finally {
    await client.close();
  }
  process.stdout.write(`The database ${config.mongodbDatabase} has its collections, validators and indexes.\n`);
} catch (error) {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `The database was not migrated: ${String(error)}\n`,
  );
  process.exitCode = 1;
}
