import { limits, problem } from '@rtr/shared';
import type { ZodOpenApiResponseObject } from 'zod-openapi';

/**
 * The deliberate differences between the API and the specification of the product (not the OpenAPI document). A test
 * compares this list with the list in README.md.
 */
const differences = [
  "`POST /jwt` also needs the Firebase ID token of the email's owner. Without it, anyone could get a token for any email.",
  'Adding a service or a review needs the bearer token. The specification names no header, but its roles say "signed-in". Without the token, anyone could write as any customer.',
  'A token is rejected once its customer is disabled, has revoked their sessions or has unlinked the provider of the session.',
  'A public review has no `email`.',
  'Unknown fields, and unknown or repeated parameters, are rejected with 400.',
  'Fields have length limits, and a picture must be an http(s) URL with a public host. The specification has no validation.',
  "Control and format characters are removed from names. A name without a visible character, or with the product's name in it, is rejected at sign-up and shown as 'Customer'.",
  `One customer can add ${limits.servicesPerDay} services and ${limits.reviewsPerDay} reviews a day, can save ${limits.serviceEditsPerDay} edits of the titles and descriptions of services a day, and can have ${limits.liveReviewsPerService} reviews of one service. One review can have ${limits.usefulVotesPerReview.toLocaleString('en')} votes.`,
  'The API limits the requests of an address and the writes of a customer per minute, and the complete lists that one address reads at once. Beyond a limit, it returns 429.',
  "A lister's review of their own service is labelled 'By the lister' and does not count in stars.",
  `\`ratting\` is shown as "Lister's own rating".`,
  'In the review forms, the read-only fields are folded into one line.',
  'Lists have more fields: counts, average rating, stars and dates.',
  'The web app reads lists in pages. A request without parameters still returns the complete list.',
  '`POST` and `PATCH` of a review accept `rating`, 1 to 5 stars.',
  'A failed `PATCH` is an error. The specification does not check its response.',
  `A deletion can be undone for ${limits.restoreMinutes} minutes.`,
  'A service can have a phone number, a website and an area. The page of the service shows them with the name of the lister.',
  "A service can have opening hours, a licence and a statement about insurance. The page of the service shows them in the lister's own words, and says that nobody has checked them.",
  'The page `/listers/{id}` shows the services of a lister, their joint stars, their newest reviews, and how many have a reply. The service page links to it.',
  'The list of services can be searched, sorted, and filtered by area, stars, contact and pictures. The search field suggests services, areas and searches.',
  `Listers can edit and withdraw their services on \`/myservices\` and \`/editservice/{id}\`. A withdrawn service can be listed again for ${limits.withdrawnDays} days.`,
  'The lister of a service can reply once to each of its reviews by others, and can edit and delete the reply unless a moderator has hidden it. The reply is shown below the review, and is written on `/reply/{id of the review}`.',
  'If a review or a service was edited elsewhere in the meantime, `PATCH` with `If-Match` returns 412, and the web app shows both versions.',
  'Customers can mark the reviews of others as useful, and sort reviews by the number of these votes.',
  `Customers can report a review, its reply or its photos, and a service or its picture, up to ${limits.reportsPerDay} times a day. On \`/moderation\`, moderators hide the reported content, remove pictures for good, or dismiss the reports. Authors and listers read the reason, and can ask for another look once per decision. Reporters read the outcome.`,
  `A customer can ask the lister of a service on the service page, up to ${limits.conversationsPerDay} times a day, with ${limits.messagesPerDay} messages a day and ${limits.messagesPerConversation} in one conversation. Only the two can read the conversation and its photos, on \`/requests\`. Moderators read single messages that their recipients have reported.`,
  'The page `/news` shows new reviews, replies, votes, messages and decisions of moderators. The account picture shows how many there are. If the operator has set a mail server, customers can get unread news by email.',
  'On `/account`, customers can verify their email address.',
  "In My Review, a review of a service that is no longer listed is marked 'No longer listed' and does not link to the service.",
  'Signing out asks for confirmation while there are drafts.',
  "'Forgot password?' works, and so do the links in the footer: services are searches, company and legal are pages.",
  'Errors that the specification only logs are shown, with advice. A profile that could not be saved is reported with a message of this product.',
  'Provider error codes other than the two in the specification have their own messages.',
  'Lists are cached, and refreshed on focus and after a change, rather than fetched on every render.',
  "The edit page has separate pages for a review of another customer and for an unknown review. The title of a page whose review or service does not exist begins with 'Not Found'.",
  'Signed-in customers are redirected from `/login` and `/signup`.',
  "With the Auth emulator, the Google button opens a dialog with demo accounts, because Google's window needs Google.",
];

export const info = {
  title: 'RTR Cloud Kitchen',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  description: `Kitchen services, and reviews by the customers who used them. Every response has an X-Request-Id.

## Conventions

- Most writes need an access token. Sign in at Firebase, send the ID token to \`POST /jwt\`, and send the access token as \`Authorization: Bearer <token>\`.
- The texts of services, reviews, replies, messages and reports are plain text, stored exactly as they were sent. Escape them before you insert them into HTML.
- A field without a value is absent, or an empty text if the schema requires it. Only \`averageRating\`, and \`rating\` of an edit, can be null.
- The lister of a service is the customer who added it. The API takes listers and authors from the access token.
- Moderators and operators can hide content. No public read returns hidden content, but its author or lister still reads it, with the reason.
- A deleted review can be restored for ${limits.restoreMinutes} minutes, and a withdrawn service for ${limits.withdrawnDays} days. Until it is restored, no read returns it.
- A conversation of a customer with the lister of a service is called a request in addresses. Only the two can read it.
- Lists are sorted from the newest to the oldest row, unless \`sort\` or \`status\` says otherwise. Your own replies and votes are sorted by the dates of their reviews.

## Deliberate differences from the specification

${differences.map((difference) => `- ${difference}`).join('\n')}`,
};

const headers: Record<string, string> = {
  Link: 'The next page, with rel="next", as a reference that is relative to the URL of the request. Absent on the last page.',
  'X-Total-Count':
    'Number of rows on all pages. Absent without pagination. The reviews of a service always have it, except with `rating`. Other lists omit it for more than 10,000 rows, and if counting takes longer than a second. Searches and filtered lists omit it if they examined 1,000 services and there may be more.',
  'X-Searched-For':
    'The words that were searched for, if no service has all words of `q`: some words are corrected or left out. Characters outside ASCII are percent-encoded.',
  'X-Left-Out':
    'The words of `q` that were left out, because no service has them together with the words in X-Searched-For. Only on the first page.',
  'X-Unknown-Words': 'The words in X-Left-Out that no service has.',
  Location: 'The new resource, as a reference that is relative to the URL of the request.',
  ETag: 'Version of the row. Send it as If-Match with an edit, to edit only the version that you have read. With If-None-Match, a read of the same version is answered with 304.',
  'Retry-After': 'Seconds to wait before a retry.',
  'WWW-Authenticate': 'Bearer, with an error code if the token is invalid.',
};

/** The descriptions of the parameters and request headers, by name. A name has the same meaning on every route. */
export const parameterDescriptions: Record<string, string> = {
  limit: `The maximum number of rows of the page. The default is ${limits.defaultPageSize}. Without any parameter for pages, \`GET /services\`, \`GET /allreview\` and \`GET /review\` return the complete list.`,
  after:
    'The cursor: the position at which the page starts. Do not construct it: follow the Link header of the page before. A cursor of another list, order or filter is rejected with 400.',
  sort: 'The order. The default is `newest`, or `relevance` for services with `q`. Services: `title` ignores case, `price` begins with the lowest price, and `rating` begins with the highest `averageRating`. Services without a number in `price`, or without an average, are last. Without `q`, `relevance` is the same as `newest`. Reviews: `useful` begins with the most votes, `highest` and `lowest` sort by stars, with reviews without stars and reviews by the lister at the end, and `unanswered` begins with reviews without a reply. With `rating`, every order except `useful` is the same as `newest`.',
  q: 'The words to search for. Services: in titles, areas and descriptions; the API also finds synonyms and words that start with the last word. If no service has all words, it corrects words (one wrong letter from 4 letters, two from 8) or leaves words out. A search has at most 1,000 results. Reviews: each word must be the beginning of a word of the text.',
  area: 'Returns only the services whose area contains all of these words.',
  minRating: 'Returns only the services with at least this `averageRating`.',
  contact: 'With `1`, returns only the services with a phone number or a website.',
  photos: 'With `1`, returns only reviews with photos, or only services with a picture.',
  rating: 'Returns only the reviews with this number of stars. Reviews by the lister are left out.',
  serviceId: 'Returns only this service, or only the reviews or conversations about this service.',
  unread: 'With `1`, returns only unread conversations.',
  reviewId: 'Returns only the reply to this review.',
  hidden: 'With `true`, returns only the replies that a moderator has hidden.',
  withdrawn: 'With `true`, returns only withdrawn services. Otherwise, returns none of them.',
  deleted: 'With `true`, returns only deleted reviews that can still be restored. Otherwise, returns none of them.',
  email: 'Your own email address, as in the access token.',
  status:
    'Returns only the open cases, longest waiting first, or only the closed cases, newest first. The default is `open`.',
  key: 'The key from a link in an email: the last part of its address.',
  w: 'The maximum width in pixels. The default is the largest.',
  id: 'The `_id` of the review, service, lister, conversation, message or case. For a picture, the last part of the path of its URL, or the `id` of a private picture.',
  'idempotency-key':
    'A key of your choice. If you repeat the request with the same key and the same body, the row is added only once, and you get the first response.',
  'if-match': 'The ETag of the row that you have read. If the row was edited since then, the response is 412.',
};

export function describeHeaders(names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [name, { description: headers[name] ?? '', schema: { type: 'string' as const } }]),
  );
}

function problemResponse(description: string, names: readonly string[] = []): ZodOpenApiResponseObject {
  return { description, headers: describeHeaders(names), content: { 'application/problem+json': { schema: problem } } };
}

export const problemResponses = {
  400: problemResponse('The request is invalid. `errors` lists the invalid values.'),
  401: problemResponse('The token is missing or invalid. `detail` says which token to send.', ['WWW-Authenticate']),
  403: problemResponse('The customer may not do this.'),
  404: problemResponse('The resource does not exist, or the route is for moderators only.'),
  408: problemResponse('The body of the request arrives too slowly.'),
  409: problemResponse(
    'A moderator has removed a picture in the request, there is already an open conversation about the service, or the conversation is closed.',
  ),
  412: problemResponse(
    'The row was edited after the version in If-Match, or the case has changed after the version in the body. `current` is the row as it is now.',
  ),
  413: problemResponse(
    `The body is larger than ${limits.bodyBytes / 1024} KB, or a picture is larger than ${limits.pictureBytes / 1_000_000} MB, 50 megapixels, or 16 megapixels for AVIF.`,
  ),
  415: problemResponse('The body is not JSON in UTF-8, or not a picture of a supported format.'),
  422: problemResponse('The Idempotency-Key was already used with other content.', ['Location']),
  429: problemResponse('A limit is reached. `limit` names it, and `detail` says what to do.', ['Retry-After']),
  500: problemResponse('The server failed.'),
  503: problemResponse(
    'The API is temporarily unavailable, such as when the database or Firebase does not respond. `detail` says why.',
    ['Retry-After'],
  ),
};

const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } as const;

export const securitySchemes = {
  accessToken: {
    ...bearer,
    description:
      'The token from POST /jwt. The routes for moderators also need the custom claim `moderator` at Firebase.',
  },
  firebaseIdToken: { ...bearer, description: 'A Firebase ID token of the signed-in customer.' },
};

/** Describes the response of a successful health check. */
const succeeded = (description: string, status: string) => ({
  description,
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: { status: { const: status, description: 'The result of the check.' } },
        required: ['status'],
        additionalProperties: false,
      },
    },
  },
});

/** The OpenAPI paths of the health checks, which are not in `contract.ts`. */
export const operatorPaths = {
  '/healthz': {
    get: {
      operationId: 'getHealthz',
      summary: 'Check whether the process responds',
      security: [],
      responses: { 200: succeeded('It responds.', 'alive') },
    },
  },
  '/readyz': {
    get: {
      operationId: 'getReadyz',
      summary: 'Check whether the API is ready: the database responds and is migrated',
      security: [],
      responses: { 200: succeeded('It is ready.', 'ready'), 503: { $ref: '#/components/responses/503' } },
    },
  },
};
