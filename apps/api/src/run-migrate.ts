import type { Db } from 'mongodb';
import { getCollections } from './database/collections.ts';
import { migrate } from './database/migrations.ts';
import { storePicturePaths } from './pictures/store-picture-paths.ts';
import { indexForSearch } from './services/search-index.ts';
import { createStores } from './stores.ts';

/**
 * Creates missing collections, validators and indexes, and updates documents of earlier versions of the API. Returns lines
 * with the number of indexed services. Idempotent, and can run while the API is running. Each update finds its documents
 * with an index, so that a run without work reads no documents.
 */
export async function runMigrate(db: Db, webOrigins: readonly [string, ...string[]]): Promise<string[]> {
  await migrate(db);
  const collections = getCollections(db);
  const { moderation } = createStores(collections, webOrigins);
  await storePicturePaths(collections, moderation, webOrigins);
  const indexedCount = await indexForSearch(collections);
  return indexedCount > 0 ? [`Added ${indexedCount} services to the search index.`] : [];
}
