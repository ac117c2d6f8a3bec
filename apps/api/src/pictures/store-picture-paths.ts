import { ownPicturePath } from '@rtr/shared';
import type { Collection, Document } from 'mongodb';
import { hasErrorCode } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';
import type { ModerationStore } from '../moderation/moderation.store.ts';

/**
 * The prefix of the names of partial indexes. These indexes contain only documents that still store a full picture address.
 * There are usually no such documents, so a query for them is fast.
 */
const indexPrefix = 'pictureAddresses';

/**
 * Replaces the full addresses of uploaded pictures with their paths. Earlier versions of the API stored the full addresses
 * (docs/decisions/0014). Idempotent.
 *
 * A hidden picture is identified by its stored address. So this function first adds the paths to the moderation cases, then
 * changes the services and reviews, and then removes the full addresses from the cases. A hidden picture stays hidden
 * after each of these steps.
 */
export async function storePicturePaths(
  { services, reviews, cases }: Pick<Collections, 'services' | 'reviews' | 'cases'>,
  moderation: Pick<ModerationStore, 'sweep'>,
  webOrigins: readonly string[],
): Promise<void> {
  const origins = webOrigins.toSorted();
  const indexName = [indexPrefix, ...origins].join(' ');
  await createAddressIndex(services, indexName, ['img'], origins);
  await createAddressIndex(reviews, indexName, ['img', 'costomerImg', 'photos.url'], origins);
  await createAddressIndex(cases, indexName, ['history.pictures'], origins);
  const options = { hint: indexName };

  /**
   * Changes the picture addresses in the history of the moderation cases. If a case has changed, runs `moderation.sweep`,
   * which updates the hidden pictures of its service or review. If this sweep is interrupted, the next sweep of an API
   * instance finishes the work.
   */
  async function updateCases(toPictures: (addresses: string, paths: Document) => Document): Promise<void> {
    let matchedCount = 0;
    for (const origin of origins) {
      const paths = { $map: { input: '$$entry.pictures', as: 'url', in: pathOf('$$url', origin) } };
      const changed = { $mergeObjects: ['$$entry', { pictures: toPictures('$$entry.pictures', paths) }] };
      const entry = { $cond: [{ $isArray: '$$entry.pictures' }, changed, '$$entry'] };
      const history = { $map: { input: '$history', as: 'entry', in: entry } };
      const pending = { $setUnion: [{ $ifNull: ['$pending', []] }, ['picture']] };
      const isAddress = rangeOfAddresses(origin);
      const update = [{ $set: { history, pending } }];
      matchedCount += (await cases.updateMany({ 'history.pictures': isAddress }, update, options)).matchedCount;
    }
    if (matchedCount > 0) await moderation.sweep();
  }

  await updateCases((addresses, paths) => ({ $setUnion: [addresses, paths] }));
  for (const origin of origins) {
    const toPath = (input: string) => pathOf(input, origin);
    const isAddress = rangeOfAddresses(origin);
    const photo = { url: toPath('$$photo.url'), alt: '$$photo.alt' };
    const photos = { $map: { input: '$photos', as: 'photo', in: photo } };
    await services.updateMany({ img: isAddress }, [{ $set: { img: toPath('$img') } }], options);
    await reviews.updateMany({ img: isAddress }, [{ $set: { img: toPath('$img') } }], options);
    await reviews.updateMany({ costomerImg: isAddress }, [{ $set: { costomerImg: toPath('$costomerImg') } }], options);
    await reviews.updateMany({ 'photos.url': isAddress }, [{ $set: { photos } }], options);
  }
  await updateCases((_addresses, paths) => ({ $setUnion: [paths] }));
}

/** Returns a MongoDB expression that converts the address of an uploaded picture to its path. */
function pathOf(input: string, origin: string): Document {
  const find = `${origin}${ownPicturePath}`;
  const isAddress = { $eq: [{ $indexOfBytes: [input, find] }, 0] };
  return { $cond: [isAddress, { $replaceOne: { input, find, replacement: ownPicturePath } }, input] };
}

function rangeOfAddresses(origin: string) {
  const first = `${origin}${ownPicturePath}`;
  return { $gte: first, $lt: `${first}\u{10FFFF}` };
}

/**
 * Creates the index of a collection, and drops the indexes for earlier values of WEB_ORIGINS. Each value has an index with its
 * own name, so that several processes with the same value can do this at the same time.
 */
async function createAddressIndex<T extends Document>(
  collection: Collection<T>,
  name: string,
  fields: readonly string[],
  origins: readonly string[],
): Promise<void> {
  const isAddress = fields.flatMap((field) => origins.map((origin) => ({ [field]: rangeOfAddresses(origin) })));
  // The key of the index does not matter, because the filter selects the documents.
  await collection.createIndex({ img: 1, _id: 1 }, { name, partialFilterExpression: { $or: isAddress } });
  const names = (await collection.indexes()).map((index) => String(index.name));
  for (const earlier of names.filter((other) => other.startsWith(indexPrefix) && other !== name))
    await collection.dropIndex(earlier).catch((error: unknown) => {
      if (!hasErrorCode(error, 'indexNotFound')) throw error;
    });
}
