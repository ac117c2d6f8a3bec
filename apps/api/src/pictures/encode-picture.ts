import { type PictureWidth, pictureWidths } from '@rtr/shared';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { InvalidInputError, TooLargeError, UnavailableError, UnsupportedMediaError } from '../errors.ts';

export interface EncodedPicture {
  /** The width and height of the largest file in pixels. */
  width: number;
  height: number;
  /** The WebP files by their maximum width. */
  files: Record<PictureWidth, Buffer>;
}

const maxPixels = 50_000_000;
/**
 * The maximum number of pixels of an AVIF picture. Decoding AVIF needs about 20 bytes of memory for each pixel, five times
 * as much as other formats.
 */
const maxAvifPixels = 16_000_000;
/**
 * The maximum height of a WebP file, as a multiple of its maximum width. Taller pictures are scaled down, because WebP
 * limits the height of a picture.
 */
const maxHeightPerMaxWidth = 4;
const encodeTimeoutSeconds = 10;
const retryAfterSeconds = 5;

/** The content types that customers may upload, and sharp's name for each format. */
const formats: Record<string, string> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/avif': 'heif',
  'image/gif': 'gif',
};

/** Restricts libvips to the decoders of these formats, so that an uploaded file cannot reach any other decoder. */
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadWebp',
    'VipsForeignLoadHeif',
    'VipsForeignLoadNsgif',
  ],
});
sharp.cache(false);
sharp.concurrency(1);

/**
 * Decodes a picture, turns it upright, and encodes it as WebP in three widths. Removes metadata, such as the place where a
 * photo was taken, and all but the first frame of an animation. Throws an InvalidInputError, a TooLargeError or an
 * UnsupportedMediaError if the picture cannot be used, and an UnavailableError if this takes too long.
 */
export async function encodePicture(bytes: Buffer, contentType: string): Promise<EncodedPicture> {
  const actualType = detectType(bytes);
  if (actualType === undefined)
    throw new UnsupportedMediaError('This file is not a JPEG, PNG, WebP, AVIF or GIF picture. Choose another file.');
  if (actualType !== contentType)
    throw new UnsupportedMediaError(`This file is ${actualType}, but it was sent as ${contentType}.`);
  const source = sharp(bytes, { limitInputPixels: maxPixels, failOn: 'error', sequentialRead: true });
  await source.metadata().then(
    (metadata) => checkSize(metadata, actualType),
    (error: unknown) => rejectDamaged(error),
  );
  // The file is decoded only once. The smaller pictures are made from the largest one.
  const largest = await resize(source.autoOrient(), 1280)
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch((error: unknown) => rejectDamaged(error));
  const { channels, ...size } = largest.info;
  const files = {} as Record<PictureWidth, Buffer>;
  for (const width of pictureWidths) {
    const raw = { width: size.width, height: size.height, channels };
    files[width] = await resize(sharp(largest.data, { raw }), width)
      .webp({ quality: 80 })
      .toBuffer()
      .catch((error: unknown) => {
        rejectTimeout(error);
        throw error;
      });
  }
  return { width: size.width, height: size.height, files };
}

function resize(picture: Sharp, width: PictureWidth): Sharp {
  return picture
    .resize({ width, height: width * maxHeightPerMaxWidth, fit: 'inside', withoutEnlargement: true })
    .timeout({ seconds: encodeTimeoutSeconds });
}

function checkSize({ format, width, height }: Metadata, contentType: string): void {
  if (format !== formats[contentType]) throw new Error('The decoder found another format');
  const limit = contentType === 'image/avif' ? maxAvifPixels : maxPixels;
  if (width * height > limit) throw createTooManyPixelsError(limit);
}

function createTooManyPixelsError(limit: number): TooLargeError {
  return new TooLargeError(
    `The picture has more than ${limit / 1_000_000} megapixels. Scale it down and send it again.`,
  );
}

/**
 * Throws an UnavailableError if the error is a timeout. The size of pictures is limited, so a timeout means that the machine
 * is busy.
 */
function rejectTimeout(error: unknown): void {
  if (error instanceof Error && error.message.startsWith('timeout'))
    throw new UnavailableError('Reading this picture took too long. Send it again.', retryAfterSeconds, error);
}

function rejectDamaged(error: unknown): never {
  if (error instanceof TooLargeError) throw error;
  if (error instanceof Error && /pixel limit/i.test(error.message)) throw createTooManyPixelsError(maxPixels);
  rejectTimeout(error);
  throw new InvalidInputError('This picture is damaged or incomplete. Choose another file.', [
    { path: 'body', message: 'is not a complete picture' },
  ]);
}

/** Detects the content type of a picture from its first bytes. Returns undefined for an unknown type. */
function detectType(bytes: Buffer): string | undefined {
  const start = bytes.subarray(0, 12).toString('latin1');
  if (start.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'image/gif';
  if (start.startsWith('RIFF') && start.endsWith('WEBP')) return 'image/webp';
  if (start.endsWith('ftypavif') || start.endsWith('ftypavis')) return 'image/avif';
  return undefined;
}

export const pictureTypes = Object.keys(formats);
