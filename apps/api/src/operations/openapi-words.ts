import { problem } from '@rtr/shared';
import type { ZodOpenApiResponseObject } from 'zod-openapi';

/** Where this product differs from its specification on purpose. README carries the same list. */
const differences = [
  'POST /jwt also needs a Firebase ID token: without it anyone would get a token for anyone’s email.',
  'POST /services and POST /review need the access token: the roles say “signed-in”, and without it anyone writes as anyone.',
  'A public review carries no `email`.',
  'Unknown fields and unknown or repeated parameters are refused with 400.',
  'List answers have more fields: counts, average, stars and dates.',
  '“Forgot password?” and the footer’s links work; they were specified to do nothing.',
  'The errors that were only logged are shown.',
  'Lists are cached; they were specified to be fetched again on every render.',
  'The edit page has pages of its own for 403 and 404.',
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
  429: answer('Too much in a minute.', ['Retry-After']),
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
