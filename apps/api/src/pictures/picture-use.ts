/** The operations on pictures that the stores of services and reviews need. */
export interface PictureUse {
  /**
   * Records that a picture is used, so that the sweep does not delete it. Returns the text to store for the address, as
   * `toStored` does. A picture that the edited row already contains (`current`) is not checked again.
   *
   * Throws an InvalidInputError if this customer has not uploaded the picture, or if it does not exist any more. Throws a
   * RemovedPictureError if a moderator has removed it. The errors name `path`, the field of the request that contains the
   * address, for example `body.img`.
   */
  use(uid: string, address: string, path: string, current?: string): Promise<string>;
  /** Does the same as `use` for the photos of a review, which must be uploaded pictures. */
  useOwn(
    uid: string,
    addresses: readonly string[],
    pathOf: (index: number) => string,
    current?: readonly string[],
  ): Promise<string[]>;
  /**
   * Returns the text to store for the address of a picture: only the path for an uploaded picture, and the whole normalized
   * address for every other picture.
   */
  toStored(address: string): string;
  /** Converts a result of `toStored` back to the address of the picture. */
  toAddress(stored: string): string;
}
