/** Why an operator or a moderator has hidden or removed content, and when. */
export interface Hidden {
  at: Date;
  reason: string;
  /** True if the author has asked for another look at this decision. */
  isAppealed?: true;
}

export const hidden = { bsonType: 'object', required: ['at', 'reason'] };
