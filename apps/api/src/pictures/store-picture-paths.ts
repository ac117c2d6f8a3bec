import { ownPicturePath } from '@rtr/shared';
import type { Collection, Document } from 'mongodb';
import { hasErrorCode } from '../database/client.ts';
import type { Collections } from '../database/collections.ts';

/**
 * The start of the names of the indexes that contain only the rows with the full address of an uploaded picture. They are
 * usually empty, so that a search for such rows takes no time.
 */
const indexPrefix = 'pictureAddresses';

/**
 * Replaces the full addresses of uploaded pictures with their paths. Earlier versions of the API stored the full addresses
 * (docs/decisions/0014). Idempotent.
 */
export async function storePicturePaths(
  { services, reviews }: Pick<Collections, 'services' | 'reviews'>,
  webOrigins: readonly string[],
): Promise<void> {
  const origins = webOrigins.toSorted();
  const indexName = [indexPrefix, ...origins].join(' ');
  await createAddressIndex(services, indexName, ['img'], origins);
  await createAddressIndex(reviews, indexName, ['img', 'costomerImg', 'photos.url'], origins);
  const options = { hint: indexName };
  for (const origin of origins) {
    const find = `${origin}${ownPicturePath}`;
    const toPath = (input: string) => ({ $replaceOne: { input, find, replacement: ownPicturePath } });
    const isAddress = rangeOfAddresses(origin);
    const photo = { url: toPath('$$photo.url'), alt: '$$photo.alt' };
    const photos = { $map: { input: '$photos', as: 'photo', in: photo } };
    await services.updateMany({ img: isAddress }, [{ $set: { img: toPath('$img') } }], options);
    await reviews.updateMany({ img: isAddress }, [{ $set: { img: toPath('$img') } }], options);
    await reviews.updateMany({ costomerImg: isAddress }, [{ $set: { costomerImg: toPath('$costomerImg') } }], options);
    await reviews.updateMany({ 'photos.url': isAddress }, [{ $set: { photos } }], options);
  }
}

function rangeOfAddresses(origin: string) {
  const first = `${origin}${ownPicturePath}`;
  return { $gte: first, $lt: `${first}\u{10FFFF}` };
}

/**
 * Creates the index of a collection, and drops the indexes for earlier values of WEB_ORIGINS. Each value has an index with its
 * own name, so that several processes can do this at the same time.
 */
async function createAddressIndex<T extends Document>(
  collection: Collection<T>,
  name: string,
  fields: readonly string[],
  origins: readonly string[],
): Promise<void> {
  const isAddress = fields.flatMap((field) => origins.map((origin) => ({ [field]: rangeOfAddresses(origin) })));
  await collection.createIndex({ img: 1, _id: 1 }, { name, partialFilterExpression: { $or: isAddress } });
  const names = (await collection.indexes()).map((index) => String(index.name));
  for (const earlier of names.filter((other) => other.startsWith(indexPrefix) && other !== name))
    await collection.dropIndex(earlier).catch((error: unknown) => {
      if (!hasErrorCode(error, 'indexNotFound')) throw error;
    });
}
