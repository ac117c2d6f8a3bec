import type { Access, ContractEntry } from '@rtr/shared';
import * as shared from '@rtr/shared';
import * as z from 'zod/mini';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { pictureTypes } from '../pictures/encode-picture.ts';
import { commonSchemas } from './openapi-schemas/common.ts';
import { conversationSchemas } from './openapi-schemas/conversations.ts';
import type { DescribedSchema } from './openapi-schemas/described-schema.ts';
import { moderationSchemas } from './openapi-schemas/moderation.ts';
import { reviewSchemas } from './openapi-schemas/reviews.ts';
import { serviceSchemas } from './openapi-schemas/services.ts';
import {
  describeHeaders,
  info,
  operatorPaths,
  parameterDescriptions,
  problemResponses,
  securitySchemes,
} from './openapi-texts.ts';

/** The named schemas of the document, with the descriptions of their fields. */
export const describedSchemas: Readonly<Record<string, DescribedSchema>> = {
  ...commonSchemas,
  ...serviceSchemas,
  ...reviewSchemas,
  ...moderationSchemas,
  ...conversationSchemas,
};

const security: Record<Access, Record<string, string[]>[]> = {
  public: [],
  optional: [{}, { accessToken: [] }],
  customer: [{ accessToken: [] }],
  moderator: [{ accessToken: [] }],
  firebase: [{ firebaseIdToken: [] }],
};

const webUrlPattern = '^$|^[hH][tT][tT][pP][sS]?://';

/** Additions to the generated JSON schemas. zod cannot convert a refinement to a JSON schema. */
const schemaAdditions = new Map<unknown, object>([
  [shared.pictureUrl, { pattern: webUrlPattern }],
  [shared.websiteUrl, { pattern: webUrlPattern }],
  [
    shared.moderationInput,
    {
      if: { properties: { action: { const: 'dismiss' } } },
      else: { properties: { reason: { pattern: String.raw`\S` } }, required: ['reason'] },
    },
  ],
  [
    shared.messageInput,
    {
      if: { properties: { photos: { minItems: 1 } }, required: ['photos'] },
      else: { properties: { text: { pattern: String.raw`\S` } }, required: ['text'] },
    },
  ],
  [shared.reviewEdit, { minProperties: 1 }],
  [shared.serviceEdit, { minProperties: 1 }],
]);

/** Creates the OpenAPI 3.1 document from the schemas that validate the requests. */
export function createOpenApiDocument() {
  const paths: ZodOpenApiPathsObject = { ...operatorPaths };
  for (const [key, entry] of Object.entries<ContractEntry>(shared.contract)) {
    const [verb = '', path = ''] = key.split(' ');
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [verb.toLowerCase()]: createOperation(verb.toLowerCase(), path, entry) };
  }
  // zod-openapi makes a component of each schema with an id, and refers to it where the schema is used.
  for (const [id, { schema, description }] of Object.entries(describedSchemas))
    z.globalRegistry.add(schema, { id, description });
  const document = createDocument(
    {
      openapi: '3.1.1',
      info,
      servers: [{ url: '/' }],
      paths,
      components: { responses: problemResponses, securitySchemes },
    },
    { override: ({ jsonSchema, zodSchema }) => void Object.assign(jsonSchema, schemaAdditions.get(zodSchema)) },
  );
  describeFields(document.components?.schemas ?? {});
  for (const { get, post, put, patch, delete: remove } of Object.values(document.paths ?? {}))
    for (const parameter of [get, post, put, patch, remove].flatMap((operation) => operation?.parameters ?? [])) {
      const description = 'name' in parameter ? parameterDescriptions[parameter.name] : undefined;
      if (description !== undefined) Object.assign(parameter, { description });
    }
  return document;
}

/**
 * Adds the descriptions of the fields. The zod schemas cannot contain them, because several fields share a schema, such
 * as `id`.
 */
function describeFields(schemas: Record<string, unknown>): void {
  for (const [name, { fields = {} }] of Object.entries(describedSchemas)) {
    const { properties = {} } = (schemas[name] ?? {}) as { properties?: Record<string, object> };
    for (const [field, description] of Object.entries(fields)) Object.assign(properties[field] ?? {}, { description });
  }
}

const webpContent = { content: { 'image/webp': {} } };
const pictureContent = Object.fromEntries(pictureTypes.map((type) => [type, {}]));
const jsonContent = (schema: object | undefined) => schema && { content: { 'application/json': { schema } } };

function createOperation(method: string, path: string, entry: ContractEntry): ZodOpenApiOperationObject {
  const successes = Object.entries(entry.responses).map(([status, { body, headers = [], isPicture }]) => [
    status,
    { description: 'Success.', headers: describeHeaders(headers), ...(isPicture ? webpContent : jsonContent(body)) },
  ]);
  const errors = [400, ...entry.errors, 429, 500, 503].map((status) => [
    status,
    { $ref: `#/components/responses/${status}` },
  ]);
  const inputs = Object.entries({ path: entry.params, query: entry.query, header: entry.headers });
  return {
    operationId: method + path.replaceAll(/[/:]+(\w?)/g, (_, letter: string) => letter.toUpperCase()),
    summary: entry.summary,
    security: security[entry.access],
    requestParams: Object.fromEntries(inputs.filter(([, schema]) => schema !== undefined)),
    ...(entry.takesPicture && { requestBody: { required: true, content: pictureContent } }),
    ...(entry.body && { requestBody: { required: true, ...jsonContent(entry.body) } }),
    responses: Object.fromEntries([...successes, ...errors]),
  } as ZodOpenApiOperationObject;
}
