import type { Db } from 'mongodb';
import { getCollections } from './database/collections.ts';
import { migrate } from './database/migrations.ts';
import { storePicturePaths } from './pictures/store-picture-paths.ts';
import { updateOutdatedReviews } from './reviews/update-outdated-reviews.ts';
import { indexForSearch } from './services/search-index.ts';
import { createStores } from './stores.ts';

/**
 * Creates missing collections, validators and indexes, and updates documents of earlier versions of the API. Returns lines
 * with the numbers of indexed services and updated reviews. Idempotent, and can run while the API is running. Each update
 * finds its documents with an index, so that a run without work reads no documents, except the services without an owner.
 */
export async function runMigrate(db: Db, webOrigins: readonly [string, ...string[]]): Promise<string[]> {
  await migrate(db);
  const collections = getCollections(db);
  const { services, moderation } = createStores(collections, webOrigins);
  await services.removeContactsWithoutOwner();
  await storePicturePaths(collections, moderation, webOrigins);
  const indexedCount = await indexForSearch(collections);
  const reviews = await updateOutdatedReviews(collections);
  return [
    ...(indexedCount > 0 ? [`Added ${indexedCount} services to the search index.`] : []),
    ...(reviews.marked > 0 ? [`Marked ${reviews.marked} reviews by the lister of their service.`] : []),
    ...(reviews.completed > 0 ? [`Added the missing fields of ${reviews.completed} reviews.`] : []),
  ];
}
