/**
 * All limits on the input of customers and operators. The zod schemas, the database validators and the forms use them.
 * Lengths are counted in Unicode code points, as in zod and MongoDB. This file must not import zod, because the web app
 * loads this file with the first page.
 */
export const limits = {
  titleLength: 120,
  priceLength: 40,
  listerRatingLength: 40,
  descriptionLength: 5000,
  reviewLength: 5000,
  /** The maximum length of `time` and `date` of a review, which are locale strings. */
  dateTextLength: 40,
  /** The maximum length of a customer's name, in UTF-16 code units. */
  nameLength: 80,
  /** The maximum length of the name in a review request. It is not stored: the stored name comes from the token. */
  sentNameLength: 200,
  emailLength: 320,
  uidLength: 128,
  urlLength: 2048,
  searchLength: 200,
  idempotencyKeyLength: 200,
  cursorLength: 2048,
  /** The maximum length of an operator's name in the audit log. */
  operatorNameLength: 80,
  operatorReasonLength: 500,
  auditActionLength: 40,

  bodyBytes: 32 * 1024,
  maxPageSize: 100,
  defaultPageSize: 20,

  /** How many services one customer can add in 24 hours. */
  servicesPerDay: 100,
  reviewsPerDay: 300,
  /** How many reviews of one service a customer can have, not counting deleted ones. */
  liveReviewsPerService: 10,
  /** For how many minutes a deleted review can be restored. */
  restoreMinutes: 10,
} as const;
