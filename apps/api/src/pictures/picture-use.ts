/** The operations on pictures that the stores of services and reviews need. */
export interface PictureUse {
  /**
   * Records that a picture is used, so that the sweep does not delete it. Returns the text to store for the address, as
   * `toStored` does. Throws an InvalidInputError if the address belongs to an uploaded picture that does not exist any
   * more. The error names `path`: the field of the request that contains the address, for example `body.img`. Throws a
   * HiddenContentError if a moderator has hidden the uploaded picture. A picture that the row already contains is
   * allowed even if it is hidden: `current` lists the stored addresses in the row.
   */
  use(address: string, path: string, current?: readonly string[]): Promise<string>;
  /**
   * Does the same as `use` for several pictures. Throws an InvalidInputError if this customer has not uploaded all of
   * them.
   */
  useOwn(
    uid: string,
    addresses: readonly string[],
    pathOf: (index: number) => string,
    current?: readonly string[],
  ): Promise<string[]>;
  /**
   * Returns the text to store for the address of a picture: only the path for an uploaded picture, and the whole address for
   * every other picture.
   */
  toStored(address: string): string;
  /** Converts a result of `toStored` back to the address of the picture. */
  toAddress(stored: string): string;
}

/** A `PictureUse` that stores every address unchanged, for commands and tests without uploaded pictures. */
export const noUploads: PictureUse = {
  use: (address) => Promise.resolve(address),
  useOwn: (_uid, addresses) => Promise.resolve([...addresses]),
  toStored: (address) => address,
  toAddress: (stored) => stored,
};
