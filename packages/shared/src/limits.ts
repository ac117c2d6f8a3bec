/**
 * All limits on what customers and operators send. The zod schemas, the database validators and the forms use them.
 * Lengths count Unicode code points, as zod and MongoDB do. This file imports nothing: zod would be loaded with the first page.
 */
export const limits = {
  titleLength: 120,
  priceLength: 40,
  listerRatingLength: 40,
  descriptionLength: 5000,
  reviewLength: 5000,
  /** Of the locale strings `time` and `date`. */
  dateTextLength: 40,
  /** In UTF-16 code units. */
  nameLength: 80,
  /** Of the name in a review request. It is not stored: the stored name comes from the token. */
  sentNameLength: 200,
  emailLength: 320,
  uidLength: 128,
  urlLength: 2048,
  searchLength: 200,
  idempotencyKeyLength: 200,
  cursorLength: 2048,
  /** Of the fields of the audit log. */
  operatorNameLength: 80,
  operatorReasonLength: 500,
  auditActionLength: 40,

  bodyBytes: 32 * 1024,
  /** Rows. */
  maxPageSize: 100,
  defaultPageSize: 20,

  /** Of one customer, in the last 24 hours. */
  servicesPerDay: 100,
  reviewsPerDay: 300,
  /** Reviews of one service by one customer that are not deleted. */
  liveReviewsPerService: 10,
  /** After its deletion, a review can be restored for this long. */
  restoreMinutes: 10,
} as const;
