/**
 * Returns the address of a review: the address of the service's page without filters, and the id of the review in the hash.
 */
export const addressOf = ({ serviceId, _id }: { serviceId: string; _id: string }) =>
  `/services/${serviceId}#${anchorOf(_id)}`;

export const anchorOf = (id: string) => `review-${id}`;

/** Reads the id of a review from the hash of an address. Anyone can type an address, so the id may be invalid. */
export const reviewIn = (hash: string) => /^#review-(.*)$/.exec(hash)?.[1];
