/** Why an operator or a moderator has hidden content, and when. */
export interface Hidden {
  at: Date;
  reason: string;
}

export interface HiddenPicture extends Hidden {
  /** The address of the picture, in the form in which rows store it. */
  url: string;
}

export const hidden = { bsonType: 'object', required: ['at', 'reason'] };

export const hiddenPictures = { bsonType: 'array', items: { ...hidden, required: ['at', 'reason', 'url'] } };
