import { type DocumentSchema, date } from './schema.ts';

/** Which news a customer has seen, and whether they get emails about it. It is erased with their account. */
export interface InboxDocument {
  /** The uid of the customer. */
  _id: string;
  /** The news up to this time is seen. */
  seenAt: Date;
  /**
   * The key in the links of emails that switch the emails off. It is created when the customer switches emails on for the
   * first time, and never changes, so that the links of old emails keep working.
   */
  unsubscribeKey?: string;
  /** Absent if emails are off. */
  emails?: {
    /** The news up to this time was sent, or existed before the customer switched emails on. */
    sentUntil: Date;
    /** The time when the news is checked next. While an API instance checks them, this time is the end of its lease. */
    nextCheckAt: Date;
  };
}

export const inboxSchema: DocumentSchema = {
  required: { _id: { bsonType: 'string' }, seenAt: date },
  optional: {
    unsubscribeKey: { bsonType: 'string' },
    emails: {
      bsonType: 'object',
      required: ['sentUntil', 'nextCheckAt'],
      properties: { sentUntil: date, nextCheckAt: date },
    },
  },
};
