import type { Access, ContractEntry } from '@rtr/shared';
import * as shared from '@rtr/shared';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { described, info, operatorPaths, problems, securitySchemes } from './openapi-words.ts';

const { service, serviceDetails, serviceInput, review, ownReview, reviewForReader, reviewInput, reviewEdit } = shared;

const security: Record<Access, Record<string, string[]>[]> = {
  public: [],
  optional: [{}, { accessToken: [] }],
  customer: [{ accessToken: [] }],
  firebase: [{ firebaseIdToken: [] }],
};

/** What a JSON schema cannot take from a refinement, or from a check that depends on where the product runs. */
const refinements = new Map<unknown, object>([
  [
    shared.pictureUrl,
    {
      pattern: '^$|^[hH][tT][tT][pP][sS]?://',
      description:
        'An http or https URL, or empty. POST /services answers 400 when it holds user information or names a local, private or link-local host.',
    },
  ],
  [reviewEdit, { minProperties: 1 }],
]);

/** The OpenAPI 3.1 document, made of the schemas that check the traffic. */
export function openapi() {
  const paths: ZodOpenApiPathsObject = { ...operatorPaths };
  for (const [key, entry] of Object.entries<ContractEntry>(shared.contract)) {
    const [verb = '', path = ''] = key.split(' ');
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [verb.toLowerCase()]: operation(verb.toLowerCase(), path, entry) };
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info,
      servers: [{ url: '/' }],
      paths,
      components: {
        schemas: { service, serviceDetails, serviceInput, review, ownReview, reviewForReader, reviewInput, reviewEdit },
        responses: problems,
        securitySchemes,
      },
    },
    { override: ({ jsonSchema, zodSchema }) => void Object.assign(jsonSchema, refinements.get(zodSchema)) },
  );
}

const json = (schema: object | undefined) => schema && { content: { 'application/json': { schema } } };

function operation(method: string, path: string, entry: ContractEntry): ZodOpenApiOperationObject {
  const answers = Object.entries(entry.answers).map(([status, { body, headers = [] }]) => [
    status,
    { description: 'Done.', headers: described(headers), ...json(body) },
  ]);
  const refused = [400, ...entry.errors, 429, 500, 503].map((status) => [
    status,
    { $ref: `#/components/responses/${status}` },
  ]);
  const inputs = Object.entries({ path: entry.params, query: entry.query, header: entry.headers });
  return {
    operationId: method + path.replaceAll(/[/:]+(\w?)/g, (_, letter: string) => letter.toUpperCase()),
    summary: entry.summary,
    security: security[entry.access],
    requestParams: Object.fromEntries(inputs.filter(([, schema]) => schema !== undefined)),
    ...(entry.body && { requestBody: { required: true, ...json(entry.body) } }),
    responses: Object.fromEntries([...answers, ...refused]),
  } as ZodOpenApiOperationObject;
}
