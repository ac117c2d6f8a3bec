/**
 * Limits, mostly on the input of customers and operators. The zod schemas, the database validators and the forms use them.
 * Most lengths are counted in Unicode code points, as in zod and MongoDB. This file must not import zod, because browsers
 * load this file with the first page.
 */
export const limits = {
  titleLength: 120,
  priceLength: 40,
  listerRatingLength: 40,
  descriptionLength: 5000,
  phoneLength: 40,
  areaLength: 120,
  hoursLength: 120,
  licenceLength: 120,
  reviewLength: 5000,
  replyLength: 2000,
  photosPerReview: 4,
  /** The maximum length of the description of a photo. */
  photoAltLength: 120,
  /** The maximum length of the fields `time` and `date` of a review. They are locale strings. */
  dateTextLength: 40,
  /** The maximum number of customers who can mark the same review as useful. */
  usefulVotesPerReview: 10_000,
  /** The maximum length of a customer's name, in UTF-16 code units. */
  nameLength: 80,
  /**
   * The maximum length of the name in the request that adds a review. This name is not stored. The stored name comes from
   * the token.
   */
  sentNameLength: 200,
  emailLength: 320,
  uidLength: 128,
  urlLength: 2048,
  searchLength: 200,
  /** The maximum number of suggestions for a search. */
  suggestions: 6,
  /** The maximum number of areas in the list of the most used areas. */
  areas: 8,
  idempotencyKeyLength: 200,
  cursorLength: 2048,
  /** The maximum length of an operator's name in the audit log. */
  operatorNameLength: 80,
  operatorReasonLength: 500,
  auditActionLength: 40,

  /** The number of characters of reported content that the sender of a report reads in their list of reports. */
  excerptLength: 100,
  /** The maximum length of the text that a customer adds to a report, or to a request for another look at a decision. */
  reportTextLength: 500,
  /** The maximum length of the reason that a moderator gives to the author of hidden content. */
  moderationReasonLength: 500,
  /** The maximum number of reports that the API returns with a moderation case. */
  reportsPerCase: 20,

  messageLength: 2000,
  photosPerMessage: 4,
  /** The number of messages in one conversation of a customer with a lister. */
  messagesPerConversation: 200,
  /** The number of conversations that a customer can begin in 24 hours. */
  conversationsPerDay: 20,
  messagesPerDay: 200,
  /** New entries of the news are counted only up to this number. */
  maxNewsCount: 99,
  /** The number of days for which news is shown. */
  newsDays: 90,
  /** The number of entries in an email about news. */
  newsPerEmail: 20,

  bodyBytes: 32 * 1024,
  /** The largest picture that can be uploaded. */
  pictureBytes: 10_000_000,
  picturesPerCustomer: 200,
  pictureBytesPerCustomer: 200_000_000,
  /** Reviews without a reply are counted only up to this number. */
  maxUnansweredCount: 100,
  maxPageSize: 100,
  defaultPageSize: 20,

  /** The number of services that one customer can add in 24 hours. */
  servicesPerDay: 100,
  /** The number of times that a customer can change titles and descriptions in 24 hours. */
  serviceEditsPerDay: 300,
  reviewsPerDay: 300,
  /** The number of reviews of one service that one customer can have. Deleted reviews do not count. */
  liveReviewsPerService: 10,
  reportsPerDay: 20,
  ifMatchLength: 1000,
  /** The number of minutes in which a deleted review can be restored. */
  restoreMinutes: 10,
  /** The number of days for which a withdrawn service can be listed again. Then the database erases it. */
  withdrawnDays: 30,

  minPasswordLength: 6,
  /** The number of hours for which an access token is valid. */
  accessTokenHours: 1,
  /** To delete an account, the customer must have logged in within this number of minutes. */
  recentLoginMinutes: 5,
} as const;

/**
 * The names of the limits that can block a customer for more than a few minutes. The limits per day reset within 24
 * hours. The limits `reviews-per-service`, `votes-per-review`, `pictures-per-customer` and
 * `messages-per-conversation` do not reset with time: a review, a vote or a picture must be removed first, or the
 * conversation must be closed.
 */
export const quotas = [
  'services-per-day',
  'edits-per-day',
  'reviews-per-day',
  'reviews-per-service',
  'votes-per-review',
  'pictures-per-customer',
  'reports-per-day',
  'conversations-per-day',
  'messages-per-day',
  'messages-per-conversation',
] as const;
