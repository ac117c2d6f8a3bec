/** The operations on pictures that the stores of services and reviews need. */
export interface PictureUse {
  /**
   * Records that a picture is used, so that the sweep does not delete it. Returns the text to store for the address, as
   * `toStored` does. Throws an InvalidInputError if the address belongs to an uploaded picture that does not exist any
   * more. The error names `path`, the path of the address in the request. Throws a HiddenContentError if a moderator has
   * hidden the uploaded picture, unless the row already has it. `current` contains the stored addresses that the row has.
   */
  use(address: string, path: string, current?: readonly string[]): Promise<string>;
  /** Does the same as `use` for several pictures, but throws an InvalidInputError unless this customer has uploaded them. */
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
  /** Returns the address of a picture from its stored text. The inverse of `toStored`. */
  toAddress(stored: string): string;
}

/** An implementation for commands and tests without uploaded pictures. It returns all addresses unchanged. */
export const noUploads: PictureUse = {
  use: (address) => Promise.resolve(address),
  useOwn: (_uid, addresses) => Promise.resolve([...addresses]),
  toStored: (address) => address,
  toAddress: (stored) => stored,
};
