/**
 * Returns the address of a review. This is the address of the service's page, without filters. The hash contains the id of
 * the review.
 */
export const addressOf = ({ serviceId, _id }: { serviceId: string; _id: string }) =>
  `/services/${serviceId}#${anchorOf(_id)}`;

export const anchorOf = (id: string) => `review-${id}`;

/** Reads the id of a review from the hash of an address. The id may be invalid, because anyone can type an address. */
export const reviewIn = (hash: string) => /^#review-(.*)$/.exec(hash)?.[1];
