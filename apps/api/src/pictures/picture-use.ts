/** How services and reviews use pictures. */
export interface PictureUse {
  /**
   * Records that a picture is used, so that the sweep does not delete it. Returns the text to store, like `toStored`. Throws
   * an InvalidInputError if it is an uploaded picture that does not exist any more. `path` is the place of the address in
   * the request, for the error message.
   */
  use(address: string, path: string): Promise<string>;
  /** Does the same as `use` for several pictures, but throws an InvalidInputError unless this customer has uploaded them. */
  useOwn(uid: string, addresses: readonly string[], pathOf: (index: number) => string): Promise<string[]>;
  /** Returns the path of an uploaded picture, and the unchanged address of every other picture. */
  toStored(address: string): string;
  /** Returns the address of a picture. The argument is the text that was stored. */
  toAddress(stored: string): string;
}

/** For commands and tests without uploaded pictures. All addresses stay unchanged. */
export const noUploads: PictureUse = {
  use: (address) => Promise.resolve(address),
  useOwn: (_uid, addresses) => Promise.resolve([...addresses]),
  toStored: (address) => address,
  toAddress: (stored) => stored,
};
