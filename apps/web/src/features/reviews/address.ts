/** Where a review is read: on its service's page, which opens on it. Always the same, whatever the page was narrowed to. */
export const addressOf = ({ serviceId, _id }: { serviceId: string; _id: string }) =>
  `/services/${serviceId}#${anchorOf(_id)}`;

export const anchorOf = (id: string) => `review-${id}`;

/** The id of the review that a hash names; undefined when it names none. It may be mistyped. */
export const reviewIn = (hash: string) => /^#review-(.*)$/.exec(hash)?.[1];
