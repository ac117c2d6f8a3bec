/**
 * Functions that services and reviews call for their pictures. `path` is the position of the address in the request, for
 * error messages.
 */
export interface PictureUse {
  /**
   * Marks a picture as used, so that the sweep does not delete it, and returns the text to store. Throws an
   * InvalidInputError if it is an uploaded picture that does not exist any more.
   */
  use(address: string, path: string): Promise<string>;
  /** Like `use`, but throws an InvalidInputError unless this customer has uploaded the picture. */
  useOwn(uid: string, address: string, path: string): Promise<string>;
  /** Returns the path of an uploaded picture. Other addresses stay unchanged. */
  toStored(address: string): string;
  /** Returns the address of a picture. The argument is the text that was stored. */
  toAddress(stored: string): string;
}

/** For commands and tests without uploaded pictures. All addresses stay unchanged. */
export const noUploads: PictureUse = {
  use: (address) => Promise.resolve(address),
  useOwn: (_uid, address) => Promise.resolve(address),
  toStored: (address) => address,
  toAddress: (stored) => stored,
};
