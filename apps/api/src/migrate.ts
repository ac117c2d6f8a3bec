import { config as loadDotenv } from 'dotenv';
import { MongoClient } from 'mongodb';
import { ConfigError, loadConfig } from './config.ts';
import { openDatabase } from './database/client.ts';
import { getCollections } from './database/collections.ts';
import { migrate } from './database/migrations.ts';
import { storePicturePaths } from './pictures/store-picture-paths.ts';
import { markListerReviews } from './reviews/mark-lister-reviews.ts';
import { createReplyStore } from './reviews/replies.store.ts';
import { addMissingCounts } from './reviews/votes.store.ts';
import { indexForSearch } from './services/search-index.ts';
import { createServiceStore } from './services/services.store.ts';

// The migrate command creates missing collections, validators and indexes, and updates documents of earlier versions of the
// API. The command is idempotent, and can run while the API is running.
loadDotenv({ quiet: true });
try {
  const config = loadConfig(process.env);
  // Building an index over many documents takes minutes, so this database client has no request timeouts.
  const client = new MongoClient(config.mongodbUri);
  try {
    const db = openDatabase(client, config.mongodbDatabase);
    await migrate(db);
    const collections = getCollections(db);
    const services = createServiceStore(collections);
    await services.removeContactsWithoutOwner();
    await storePicturePaths(collections, config.webOrigins);
    const indexedCount = await indexForSearch(collections);
    if (indexedCount > 0) process.stdout.write(`Added ${indexedCount} services to the search index.\n`);
    await addMissingCounts(collections);
    const markedCount = await markListerReviews(collections);
    if (markedCount > 0) process.stdout.write(`Marked ${markedCount} reviews by the lister of their service.\n`);
    const unansweredCount = await createReplyStore(collections, services).markUnanswered();
    if (unansweredCount > 0) process.stdout.write(`Added ${unansweredCount} reviews to the lists by reply.\n`);
  } finally {
    await client.close();
  }
  process.stdout.write(`The database ${config.mongodbDatabase} has its collections, validators and indexes.\n`);
} catch (error) {
  process.stderr.write(
    error instanceof ConfigError ? `${error.message}\n` : `The migration failed: ${String(error)}\n`,
  );
  process.exitCode = 1;
}
