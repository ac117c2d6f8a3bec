import { config as loadDotenv } from 'dotenv';
import { MongoClient } from 'mongodb';
import { ConfigError, loadConfig } from './config.ts';
import { openDatabase } from './database/client.ts';
import { DataVersionError } from './database/data-version.ts';
import { migrate } from './database/migrations.ts';

// The migrate command creates missing collections, validators and indexes. It is idempotent, and can run while the API is
// running.
loadDotenv({ quiet: true });
try {
  const config = loadConfig(process.env);
  // Building an index over many documents takes minutes, so this database client has no request timeouts.
  const client = new MongoClient(config.mongodbUri);
  try {
    await migrate(openDatabase(client, config.mongodbDatabase));
  } finally {
    await client.close();
  }
  process.stdout.write(`The database ${config.mongodbDatabase} has its collections, validators and indexes.\n`);
} catch (error) {
  const isExpected = error instanceof ConfigError || error instanceof DataVersionError;
  process.stderr.write(isExpected ? `${error.message}\n` : `The migration failed: ${String(error)}\n`);
  process.exitCode = 1;
}
