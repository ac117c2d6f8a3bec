/** Why an operator or a moderator has hidden or removed content, and when. */
export interface Hidden {
  at: Date;
  reason: string;
}

export const hidden = { bsonType: 'object', required: ['at', 'reason'] };
