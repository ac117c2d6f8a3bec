import { InvalidInputError, RemovedPictureError } from '../errors.ts';

/** Creates the error for a picture that a moderator has removed. `name` is how the message calls it, such as 'photo 2'. */
export function createRemovedError(name: string, path?: string): RemovedPictureError {
  return new RemovedPictureError(
    `A moderator has removed ${name}, so it cannot be used again. Choose another one.`,
    path === undefined ? undefined : [{ path, message: 'is the address of a picture that a moderator has removed' }],
  );
}

/** Creates the error for photos that do not exist, or that this customer has not uploaded. */
export function createMissingPhotosError(
  indexes: readonly number[],
  pathOf: (index: number) => string,
): InvalidInputError {
  const numbers = new Intl.ListFormat('en').format(indexes.map((index) => String(index + 1)));
  return new InvalidInputError(
    indexes.length === 1
      ? `Photo ${numbers} is missing. Remove it and upload it again.`
      : `Photos ${numbers} are missing. Remove them and upload them again.`,
    indexes.map((index) => ({ path: pathOf(index), message: 'must be a picture that you uploaded' })),
  );
}
