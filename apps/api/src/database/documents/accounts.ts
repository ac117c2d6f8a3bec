import { type DocumentSchema, date, nullable } from './schema.ts';

/**
 * The tombstone of a deleted account. The API instance that writes it rejects the customer's tokens at once. Other instances
 * reject them within 60 s.
 */
export interface AccountDocument {
  /** The uid of the customer whose account was deleted. */
  _id: string;
  deletedAt: Date;
  /** The time when all steps of the deletion were done. Null while the deletion is unfinished. */
  finishedAt: Date | null;
}

export const accountSchema: DocumentSchema = {
  required: { _id: { bsonType: 'string' }, deletedAt: date, finishedAt: nullable('date') },
};
