/** Why an operator or a moderator has hidden content, and when. */
export interface Hidden {
  at: Date;
  reason: string;
}

export interface HiddenPicture extends Hidden {
  /** The stored address of the picture: the text that `PictureUse.toStored` returns. */
  url: string;
}

export const hidden = { bsonType: 'object', required: ['at', 'reason'] };

export const hiddenPictures = { bsonType: 'array', items: { ...hidden, required: ['at', 'reason', 'url'] } };
