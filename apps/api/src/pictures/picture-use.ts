/** The operations on pictures that the stores of services and reviews need. */
export interface PictureUse {
  /**
   * Records that a picture is used, so that the sweep does not delete it. Returns the text to store for the address, as
   * `toStored` does.
   *
   * Throws an InvalidInputError if an uploaded picture does not exist any more. Throws a HiddenContentError if a moderator
   * has hidden it, unless the edited service or review already contains it: `current` lists the addresses that are
   * stored there. The errors name `path`, the field of the request that contains the address, for example `body.img`.
   */
  use(address: string, path: string, current?: readonly string[]): Promise<string>;
  /**
   * Does the same as `use` for several pictures. Throws an InvalidInputError if one of them was not uploaded by this
   * customer.
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

/** A `PictureUse` that stores every address unchanged, for tests without uploaded pictures. */
export const noUploads: PictureUse = {
  use: (address) => Promise.resolve(address),
  useOwn: (_uid, addresses) => Promise.resolve([...addresses]),
  toStored: (address) => address,
  toAddress: (stored) => stored,
};
