/** How services and reviews use pictures. `path` is the place of the address in the request, for error messages. */
export interface PictureUse {
  /**
   * Records that a picture is used, so that the sweep does not delete it, and returns what to store. Throws an
   * InvalidInputError if it is an uploaded picture that does not exist any more.
   */
  use(address: string, path: string): Promise<string>;
  /** Does the same as `use`, but throws an InvalidInputError unless this customer has uploaded the picture. */
  useOwn(uid: string, address: string, path: string): Promise<string>;
  /** Returns the path of an uploaded picture, and the unchanged address of every other picture. */
  toStored(address: string): string;
  /** Returns the address of a stored picture. */
  toAddress(stored: string): string;
}

/** For commands and tests without uploaded pictures. All addresses stay as they are. */
export const noUploads: PictureUse = {
  use: (address) => Promise.resolve(address),
  useOwn: (_uid, address) => Promise.resolve(address),
  toStored: (address) => address,
  toAddress: (stored) => stored,
};
