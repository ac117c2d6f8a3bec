/** Returns the address of a review: the page of its service, without filters, with the review's id in the hash. */
export const addressOf = ({ serviceId, _id }: { serviceId: string; _id: string }) =>
  `/services/${serviceId}#${anchorOf(_id)}`;

export const anchorOf = (id: string) => `review-${id}`;

/** Reads the id of a review from the hash of an address. It may be mistyped. */
export const reviewIn = (hash: string) => /^#review-(.*)$/.exec(hash)?.[1];
