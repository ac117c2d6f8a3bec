/** The address of a review: the page of its service, without filters, with a hash that names the review. */
export const addressOf = ({ serviceId, _id }: { serviceId: string; _id: string }) =>
  `/services/${serviceId}#${anchorOf(_id)}`;

export const anchorOf = (id: string) => `review-${id}`;

/** The id in the hash of an address. It may be mistyped. */
export const reviewIn = (hash: string) => /^#review-(.*)$/.exec(hash)?.[1];
