import { limits } from '@rtr/shared';
import type { ObjectId } from 'mongodb';
import { type DocumentSchema, date, text } from './schema.ts';

/** What the page of a lister shows about them. It is stored with their first service, and erased with their account. */
export interface ListerDocument {
  /** The uid of the lister. The API never sends it to clients. */
  _id: string;
  /** The public id of the lister. It is random, so that it reveals nothing about the account. */
  listerId: ObjectId;
  /** The name and the picture of the lister when they last added a service. The picture is empty if there was none. */
  name: string;
  picture: string;
  /** The time when the lister added their first service. */
  createdAt: Date;
}

export const listerSchema: DocumentSchema = {
  required: {
    _id: { bsonType: 'string' },
    listerId: { bsonType: 'objectId' },
    name: text(limits.nameLength),
    picture: text(limits.urlLength),
    createdAt: date,
  },
};
