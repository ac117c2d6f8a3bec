import { problem } from '@rtr/shared';
import type { ZodOpenApiResponseObject } from 'zod-openapi';

/** Where this product differs from its specification on purpose. A test compares it with the list in README. */
const differences = [
  "`POST /jwt` also needs the Firebase ID token of the email's owner. Without it anyone could get a token for anyone's email.",
  'Adding a service or a review needs the bearer token. The specification names no header, but its roles say "signed-in", and without the token anyone could write as anyone.',
  'A token is refused once its customer is disabled, has revoked their sessions or has unlinked the provider that they signed in with.',
  'A public review carries no `email`.',
  'Unknown fields, and unknown or repeated parameters, are refused with 400.',
  'Fields have length limits, and a picture must be the http(s) address of a public host. The specification has no validation.',
  "Control and format characters are taken out of names. A name without a visible character, or with the product's name in it, does not pass sign-up and is shown as 'Customer'.",
  'One customer can add 100 services and 300 reviews a day, and can have 10 reviews of one service.',
  "A lister's review of their own service is labelled 'By the lister' and does not count in stars.",
  `\`ratting\` is shown as "Lister's own rating".`,
  'List answers have more fields: counts, average rating, stars and dates.',
  'The web app reads lists in pages. A call without parameters still answers the whole list.',
  '`POST` and `PATCH` of a review may carry `rating`, 1 to 5 stars.',
  'A failed `PATCH` is an error. The specification does not check its response.',
  'A deletion can be undone for 10 minutes.',
  'Signing out while drafts are kept asks once more.',
  "'Forgot password?' works, and the footer's lists lead somewhere: services are searches, company and legal are pages.",
  'Errors that were only logged are shown, with what to do. A profile that was not saved is reported in our words.',
  'Provider codes other than the two that the specification names have texts of their own.',
  'Lists are cached, and refreshed on focus and after a change, rather than fetched on every render.',
  "The edit page has pages of its own for a review that is someone else's or not there. The title of a page whose review or service does not exist begins with 'Not Found'.",
  'Customers who are signed in are sent on from `/login` and `/signup`.',
  "On the Auth emulator the Google button opens a dialog with demo accounts, because Google's window needs Google.",
];

export const info = {
  title: 'RTR Cloud Kitchen',
  version: '1.0.0',
  license: { name: 'MIT', identifier: 'MIT' },
  description: `Kitchen services, and reviews by the customers who used them. Every answer carries X-Request-Id.

## Deliberate differences from the specification

${differences.map((difference) => `- ${difference}`).join('\n')}`,
};

const headers: Record<string, string> = {
  Link: 'The next page, rel="next"; absent on the last.',
  'X-Total-Count':
    'Rows in all pages; absent from a whole list, and from a page of more than 10,000 services, or reviews of one number of stars, or of so many that counting them takes over a second.',
  Location: 'Path of the new row.',
  'Retry-After': 'Seconds to wait.',
  'WWW-Authenticate': 'Bearer, and what was wrong with the token.',
};

/** Response headers as the document describes them. */
export function described(names: readonly string[]) {
  return Object.fromEntries(
    names.map((name) => [name, { description: headers[name] ?? '', schema: { type: 'string' as const } }]),
  );
}

function answer(description: string, names: readonly string[] = []): ZodOpenApiResponseObject {
  return { description, headers: described(names), content: { 'application/problem+json': { schema: problem } } };
}

/** Every answer that is a problem, by its status. */
export const problems = {
  400: answer('Something sent does not fit: `errors` says where.'),
  401: answer('No token, or one that does not hold: `detail` says which to send.', ['WWW-Authenticate']),
  403: answer('Not yours to do.'),
  404: answer('Not there.'),
  413: answer('The body is larger than 32 KB.'),
  415: answer('The body is not JSON in UTF-8.'),
  422: answer('This Idempotency-Key was used before, with another text.', ['Location']),
  429: answer('Too much in a minute, or more than three whole lists at once.', ['Retry-After']),
  500: answer('Something broke on our side.'),
  503: answer('The database or Firebase does not answer right now.', ['Retry-After']),
};

const bearer = { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } as const;

export const securitySchemes = {
  accessToken: { ...bearer, description: 'The token that POST /jwt gives.' },
  firebaseIdToken: { ...bearer, description: 'A Firebase ID token of the signed-in customer.' },
};

/** The routes that operators ask, which carry no data of the product. */
export const operatorPaths = {
  '/healthz': {
    get: {
      operationId: 'getHealthz',
      summary: 'Whether this process answers',
      security: [],
      responses: { 200: { description: 'It does.' } },
    },
  },
  '/readyz': {
    get: {
      operationId: 'getReadyz',
      summary: 'Whether it can serve: the database answers and is migrated',
      security: [],
      responses: { 200: { description: 'It can.' }, 503: { $ref: '#/components/responses/503' } },
    },
  },
};
