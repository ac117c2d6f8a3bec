import type { Binary } from 'mongodb';
import { count, type DocumentSchema, date, nullable, text, uid } from './schema.ts';

/** A picture that a customer uploaded, as WebP files in three widths. */
export interface PictureDocument {
  /** A hash of the uid and the uploaded file, and of whether the picture is private. */
  _id: string;
  uid: string;
  /**
   * The time of the last upload of this picture. If a sweep finds that nothing uses the picture any more, the sweep
   * sets this field to the time of the sweep.
   */
  createdAt: Date;
  /**
   * The last time when a customer used the picture, for example in a review, or when a sweep found that the picture is
   * in use. Null for a new picture, and after a sweep has found that nothing uses the picture any more. If the field is
   * still null a day after `createdAt`, a sweep deletes the picture.
   */
  usedAt: Date | null;
  width: number;
  height: number;
  /** The total size of the WebP files. */
  bytes: number;
  file320: Binary;
  file640: Binary;
  file1280: Binary;
  /** A SHA-256 hash of the uploaded file. */
  contentHash: string;
  /** Present if the picture can be used only in messages. */
  isPrivate?: true;
}

/** A picture that a moderator has removed, so that it cannot be used again. */
export interface BlockedPictureDocument {
  /** The path of an uploaded picture, or the normalized address of another picture without its scheme. */
  _id: string;
  /** The time of the removal. */
  at: Date;
  /** The hash of the uploaded file. Absent if the picture was not uploaded. */
  contentHash?: string;
}

export const pictureSchema: DocumentSchema = {
  required: {
    _id: { bsonType: 'string' },
    uid,
    createdAt: date,
    usedAt: nullable('date'),
    width: count,
    height: count,
    bytes: count,
    file320: { bsonType: 'binData' },
    file640: { bsonType: 'binData' },
    file1280: { bsonType: 'binData' },
    contentHash: text(64),
  },
  optional: { isPrivate: { bsonType: 'bool' } },
};

export const blockedPictureSchema: DocumentSchema = {
  required: { _id: { bsonType: 'string' }, at: date },
  optional: { contentHash: text(64) },
};
