import { type DocumentSchema, date } from './schema.ts';

/** Which news a customer has seen. It is erased with their account. */
export interface InboxDocument {
  /** The uid of the customer. */
  _id: string;
  /** The news up to this time are seen. */
  seenAt: Date;
}

export const inboxSchema: DocumentSchema = { required: { _id: { bsonType: 'string' }, seenAt: date } };
