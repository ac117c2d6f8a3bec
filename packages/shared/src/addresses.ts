// The addresses of pages that the web app shows as links and that the API writes into emails.

/**
 * Returns the address of a review: the address of the service's page without filters, and the id of the review in the hash.
 */
export const addressOfReview = ({ serviceId, _id }: { serviceId: string; _id: string }) =>
  `/services/${serviceId}#${anchorOfReview(_id)}`;

export const anchorOfReview = (id: string) => `review-${id}`;

/** Returns the address of a conversation. It opens at the newest message. */
export const addressOfRequest = (id: string) => `/requests/${id}#${newestMessageAnchor}`;

export const newestMessageAnchor = 'newest';
