import { METHODS } from 'node:http';
import { type OpenApiDocument, operationsOf, type Place, tokenOf } from '@rtr/conformance/document';
import * as fc from 'fast-check';
import { type BodyPlan, jsonBodies, pictureBodies } from './bodies.ts';
import { type HeaderLine, headersOf, otherHeaders } from './headers.ts';
import { encodeForUrl, mostly, oddHeaderValues, oddTexts, oddValues } from './odd-values.ts';
import type { JsonSchema, Schemas } from './schema-values.ts';
import { pathsOf, queriesOf } from './targets.ts';

/**
 * The kinds of Authorization header. `owner` is the access token of the customer who owns the data in the request, such
 * as the author of the review that the request edits.
 */
export const identityKinds = [
  'none',
  'customer',
  'owner',
  'moderator',
  'idToken',
  'expired',
  'altered',
  'unsigned',
  'otherKey',
  'expiredIdToken',
  'otherProject',
  'oddIdToken',
  'garbage',
] as const;
export type IdentityKind = (typeof identityKinds)[number];

export interface IdentityPlan {
  kind: IdentityKind;
  /** Selects one of the known customers or moderators. */
  index: number;
  /** The value of the `Authorization` header if `kind` is 'garbage'. */
  garbage: string;
  /**
   * If `kind` is 'oddIdToken', this claim is added to an ID token, or replaces a claim in it. The Auth emulator accepts
   * the changed token.
   */
  oddClaim: Record<string, unknown>;
}

/** A request that has not been sent yet. `prepareRequest` replaces the placeholders in it (see placeholders.ts). */
export interface RequestPlan {
  /**
   * The operation in the OpenAPI document, such as 'GET /services/{id}', or 'other' for a route that is not in the
   * document.
   */
  operation: string;
  method: string;
  /** The path and the query. */
  target: string;
  identity: IdentityPlan;
  headers: readonly HeaderLine[];
  body: BodyPlan | undefined;
  /**
   * If defined, the request follows a next-page link of an earlier response. `index` selects the link. `change` replaces
   * a value in the cursor of the link.
   */
  nextPage: { index: number; change: { position: number; value: unknown } | undefined } | undefined;
}

type Document = OpenApiDocument & { components: { schemas: Schemas } };

/** Creates requests for all operations of the document, and for some other routes. */
export function requestPlans(document: OpenApiDocument): fc.Arbitrary<RequestPlan> {
  const { schemas } = (document as Document).components;
  const operations = operationsOf(document).map((place) => ({
    weight: place.operation.requestBody ? 2 : 1,
    arbitrary: planOf(place, schemas),
  }));
  return fc.oneof(...operations, { weight: 2, arbitrary: otherPlans });
}

const identities = (kind: fc.Arbitrary<IdentityKind>): fc.Arbitrary<IdentityPlan> =>
  fc.record({ kind, index: fc.nat({ max: 9999 }), garbage: garbageTokens, oddClaim: oddClaims });

const oddClaims = fc
  .tuple(fc.constantFrom('email', 'name', 'picture', 'auth_time', 'firebase', 'iat', 'admin'), oddValues)
  .map(([name, value]): Record<string, unknown> => ({ [name]: value }));

const garbageTokens = fc.oneof(
  fc.constantFrom('Bearer', 'Bearer ', 'Bearer a b', 'Basic YTpi', 'bearer null', 'Bearer ..', 'Bearer a.b.c'),
  fc.constantFrom(
    'Bearer eyJhbGciOiJIUzI1NiJ9.e30.',
    'Bearer eyJhbGciOiJub25lIn0.bnVsbA.',
    'Bearer bnVsbA.bnVsbA.bnVsbA',
  ),
  oddHeaderValues.map((value) => `Bearer ${value}`),
  oddHeaderValues,
);

/**
 * For each result of `tokenOf`, the kinds of Authorization header that requests usually have. In a quarter of the
 * requests, the header has a random kind instead.
 */
const usualIdentities: Record<ReturnType<typeof tokenOf>, IdentityKind[]> = {
  none: ['none'],
  optional: ['none', 'customer', 'owner'],
  accessToken: ['customer', 'owner', 'owner', 'owner', 'moderator'],
  firebaseIdToken: ['idToken', 'idToken', 'oddIdToken'],
};

const otherMethods = METHODS.filter((method) => method !== 'CONNECT');

function planOf(place: Place, schemas: Schemas): fc.Arbitrary<RequestPlan> {
  const { operation, path } = place;
  const method = place.method.toUpperCase();
  const usual = path.startsWith('/moderation') ? (['moderator'] as const) : usualIdentities[tokenOf(operation)];
  const parameters = operation.parameters ?? [];
  return fc
    .record({
      operation: fc.constant(`${method} ${path}`),
      method: mostly(method, 15, fc.oneof(fc.constant('HEAD'), fc.constantFrom(...otherMethods))),
      path: pathsOf(path),
      query: queriesOf(
        parameters.filter(({ in: where }) => where === 'query'),
        schemas,
      ),
      identity: identities(
        fc.oneof(
          { weight: 3, arbitrary: fc.constantFrom(...usual) },
          { weight: 1, arbitrary: fc.constantFrom(...identityKinds) },
        ),
      ),
      headers: fc.tuple(headersOf(parameters), otherHeaders).map((lines) => lines.flat()),
      body: bodiesOf(operation, schemas),
      nextPage: parameters.some(({ name }) => name === 'after') ? nextPages : fc.constant(undefined),
    })
    .map(({ path, query, ...plan }) => ({ ...plan, target: path + query }));
}

const nextPages = mostly(
  undefined,
  4,
  fc.record({
    index: fc.nat({ max: 9999 }),
    change: mostly(undefined, 2, fc.record({ position: fc.nat({ max: 8 }), value: oddValues })),
  }),
);

function bodiesOf({ requestBody }: Place['operation'], schemas: Schemas): fc.Arbitrary<BodyPlan | undefined> {
  const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { schema?: JsonSchema }> };
  const schema = content['application/json']?.schema;
  if (schema)
    return fc.oneof(
      { weight: 20, arbitrary: jsonBodies(schema, schemas) },
      { weight: 1, arbitrary: fc.constant(undefined) },
    );
  if (requestBody) return pictureBodies();
  return mostly(undefined, 20, jsonBodies({}, schemas));
}

const otherPaths = [
  '/',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/docs',
  '/docs/',
  '/docs/start.js',
  '/docs/swagger-ui.css',
  '/robots.txt',
  '/sitemap.xml',
  '/sitemap.xml?from=000000000000000000000000',
  '/favicon.ico',
  '/.env',
  '/services/a/b',
  '/*',
];

const otherPlans: fc.Arbitrary<RequestPlan> = fc
  .record({
    path: fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...otherPaths) },
      { weight: 1, arbitrary: oddTexts.map((text) => `/${encodeForUrl(text)}`) },
    ),
    method: mostly('GET', 4, fc.constantFrom(...otherMethods)),
    identity: identities(fc.constantFrom(...identityKinds)),
    headers: otherHeaders,
    body: mostly(undefined, 10, jsonBodies({}, {})),
    nextPage: fc.constant(undefined),
  })
  .map(({ path, ...plan }) => ({ ...plan, operation: 'other', target: path }));
