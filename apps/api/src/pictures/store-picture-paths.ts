import { ownPicturePath } from '@rtr/shared';
import type { Collections } from '../database/collections.ts';

/**
 * Replaces the full addresses of uploaded pictures with their paths. Earlier versions of the API stored the full addresses
 * (docs/decisions/0014). Idempotent.
 */
export async function storePicturePaths(
  { services, reviews }: Pick<Collections, 'services' | 'reviews'>,
  webOrigins: readonly string[],
): Promise<void> {
  for (const origin of webOrigins) {
    const find = `${origin}${ownPicturePath}`;
    const toPath = (input: string) => ({ $replaceOne: { input, find, replacement: ownPicturePath } });
    const isAddress = { $gte: find, $lt: `${find}\u{10FFFF}` };
    const photo = { url: toPath('$$photo.url'), alt: '$$photo.alt' };
    const photos = { $map: { input: '$photos', as: 'photo', in: photo } };
    await services.updateMany({ img: isAddress }, [{ $set: { img: toPath('$img') } }]);
    await reviews.updateMany({ img: isAddress }, [{ $set: { img: toPath('$img') } }]);
    await reviews.updateMany({ costomerImg: isAddress }, [{ $set: { costomerImg: toPath('$costomerImg') } }]);
    await reviews.updateMany({ 'photos.url': isAddress }, [{ $set: { photos } }]);
  }
}
