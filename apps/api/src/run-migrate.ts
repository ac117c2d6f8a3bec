import type { Db } from 'mongodb';
import { getCollections } from './database/collections.ts';
import { migrate } from './database/migrations.ts';
import { storePicturePaths } from './pictures/store-picture-paths.ts';
import { createStores } from './stores.ts';

/**
 * Creates missing collections, validators and indexes, and updates documents of earlier versions of the API. Idempotent, and
 * can run while the API is running. Each update finds its documents with an index, so that a run without work reads no
 * documents.
 */
export async function runMigrate(db: Db, webOrigins: readonly [string, ...string[]]): Promise<void> {
  await migrate(db);
  const collections = getCollections(db);
  const { moderation } = createStores(collections, webOrigins);
  await storePicturePaths(collections, moderation, webOrigins);
}
