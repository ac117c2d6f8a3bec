import * as shared from '@rtr/shared';
import { type DescribedSchema, describeObject } from './described-schema.ts';

const { limits } = shared;

const acknowledged = 'Always true. If a write fails, the response is an error.';

export const commonSchemas: Record<string, DescribedSchema> = {
  timestamp: {
    schema: shared.timestamp,
    description:
      'A time in UTC, in ISO 8601 format with milliseconds, such as `2026-03-04T10:15:00.000Z`. The API sets it.',
  },
  tokenRequest: describeObject(shared.tokenRequest, 'A request for an access token.', {
    email:
      'The email address in the Firebase ID token, apart from case and surrounding spaces. Another address returns 403.',
  }),
  tokenResponse: describeObject(shared.tokenResponse, 'An access token.', {
    token: `A JWT, which is valid for ${limits.accessTokenHours} hour. Send it as \`Authorization: Bearer <token>\`. It contains the name, the email address and the picture in the Firebase ID token, and new reviews copy them from it.`,
  }),
  insertResult: describeObject(shared.insertResult, 'The result of adding a row.', {
    acknowledged,
    insertedId: 'The `_id` of the new row.',
  }),
  updateResult: describeObject(shared.updateResult, 'The result of editing or restoring a row.', {
    acknowledged,
    matchedCount: 'Always 1. If the row does not exist, the response is 404.',
    modifiedCount: '1, or 0 if the row to restore was not deleted.',
  }),
  deleteResult: describeObject(shared.deleteResult, 'The result of deleting a row, or of withdrawing a service.', {
    acknowledged,
    deletedCount: 'Always 1. If the row does not exist, the response is 404.',
  }),
  uploadedPicture: describeObject(shared.uploadedPicture, 'An uploaded picture, which the API has converted to WebP.', {
    url: 'The URL of the picture. It can be sent in each field for the URL of a picture, and as the picture of a Firebase account.',
    width: `The width of the largest file in pixels, at most ${Math.max(...shared.pictureWidths)}.`,
    height: 'The height of the largest file in pixels.',
  }),
  vitalsReport: describeObject(shared.vitalsReport, 'The web vitals of a page view, without data about the visitor.', {
    vitals: 'The metrics that the browser has measured.',
  }),
  vital: describeObject(shared.vital, 'A metric of a page view, as web.dev/vitals defines it.', {
    name: 'The abbreviation of the metric.',
    value: 'A score for `CLS`, and milliseconds for all other metrics.',
  }),
  problem: describeObject(shared.problem, 'The body of each error response (RFC 9457).', {
    type: 'Always `about:blank`.',
    title: 'The name of the status.',
    status: 'The HTTP status of the response.',
    detail: 'A text for people: what is wrong, and what to do.',
    instance: 'The id of the request, as in the header X-Request-Id. The logs of the API contain it.',
    limit: 'The limit that was reached. Present only with status 429.',
    current: 'The row as it is now. Present only with status 412.',
    errors: 'The invalid values of the request. Absent if the error is not about single values.',
  }),
  invalidValue: describeObject(shared.invalidValue, 'An invalid value in a request.', {
    path: 'Where the value is, such as `body.photos.0.url`. Begins with `body`, `query` or `headers`. For an unknown field, it is the path of the object that contains the field.',
    message: 'What is wrong, as a text for people.',
  }),
  currentRow: describeObject(
    shared.currentRow,
    'A row that was edited since you have read it. It is an `ownReview`, an `ownService` without `unansweredCount`, or a `moderationCase`.',
    { _id: 'The id of the row.' },
  ),
  limitName: {
    schema: shared.limitName,
    description:
      '`requests-per-minute` and `lists-at-once` limit the requests of a client address, and `uploads-at-once` those of an address or a customer. The other limits apply to a customer, `votes-per-review` to a review, and `messages-per-conversation` to a conversation. `reviews-per-service`, `votes-per-review`, `pictures-per-customer` and `messages-per-conversation` do not reset with time: a review, a vote or a picture must be removed first, or the conversation must be closed.',
  },
};
