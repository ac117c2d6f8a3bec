import type { Access, ContractEntry } from '@rtr/shared';
import * as shared from '@rtr/shared';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiPathsObject } from 'zod-openapi';
import { pictureTypes } from '../pictures/encode-picture.ts';
import {
  describeHeaders,
  info,
  operatorPaths,
  parameterDescriptions,
  problemResponses,
  securitySchemes,
} from './openapi-texts.ts';

const {
  service,
  serviceDetails,
  serviceInput,
  serviceEdit,
  ownService,
  review,
  ownReview,
  ownReply,
  ownVote,
  usefulVote,
  reply,
  replyInput,
  reviewForReader,
  reviewInput,
  reviewEdit,
  reviewReport,
  serviceReport,
  ownReport,
  moderationCase,
  moderationInput,
} = shared;

const security: Record<Access, Record<string, string[]>[]> = {
  public: [],
  optional: [{}, { accessToken: [] }],
  customer: [{ accessToken: [] }],
  moderator: [{ accessToken: [] }],
  firebase: [{ firebaseIdToken: [] }],
};

/**
 * Additions to the generated JSON schemas. zod cannot convert a refinement, or a check that depends on the configuration, to
 * a JSON schema.
 */
const schemaAdditions = new Map<unknown, object>([
  [
    shared.pictureUrl,
    {
      pattern: '^$|^[hH][tT][tT][pP][sS]?://',
      description:
        'An http or https URL, or empty. POST and PATCH of a service reject URLs that contain user information or have a local, private or link-local host.',
    },
  ],
  [
    shared.websiteUrl,
    {
      pattern: '^$|^[hH][tT][tT][pP][sS]?://',
      description: 'An http or https URL without user information, or empty.',
    },
  ],
  [
    shared.hiddenPictures,
    {
      description:
        'The hidden pictures of the content. `current` counts those that the content has now, and `replaced` counts those that its customer has replaced or removed. `urls` contains the addresses of all of them. If one is the address of an uploaded picture, `GET /moderation/pictures/{id}` returns its file.',
    },
  ],
  [
    moderationInput,
    {
      description:
        'An action of a moderator. Without `part`, the action is about the whole review or service. `replaced` is only valid for the action `restore` and the part `picture`. With `replaced`, the action restores the hidden pictures that their customer has replaced or removed. Without it, the action restores the current pictures, or the replaced and removed pictures if no current picture is hidden. Except for the action `dismiss`, `reason` must not be empty.',
      dependentSchemas: {
        replaced: { properties: { action: { const: 'restore' }, part: { const: 'picture' } }, required: ['part'] },
      },
      if: { properties: { action: { const: 'dismiss' } } },
      else: { properties: { reason: { pattern: String.raw`\S` } }, required: ['reason'] },
    },
  ],
  [reviewEdit, { minProperties: 1 }],
  [serviceEdit, { minProperties: 1 }],
]);

/** Creates the OpenAPI 3.1 document from the schemas that validate the requests. */
export function createOpenApiDocument() {
  const paths: ZodOpenApiPathsObject = { ...operatorPaths };
  for (const [key, entry] of Object.entries<ContractEntry>(shared.contract)) {
    const [verb = '', path = ''] = key.split(' ');
    const template = path.replaceAll(/:(\w+)/g, '{$1}');
    paths[template] = { ...paths[template], [verb.toLowerCase()]: createOperation(verb.toLowerCase(), path, entry) };
  }
  const document = createDocument(
    {
      openapi: '3.1.1',
      info,
      servers: [{ url: '/' }],
      paths,
      components: {
        schemas: {
          service,
          serviceDetails,
          serviceInput,
          serviceEdit,
          ownService,
          review,
          ownReview,
          ownReply,
          ownVote,
          usefulVote,
          reply,
          replyInput,
          reviewForReader,
          reviewInput,
          reviewEdit,
          reviewReport,
          serviceReport,
          ownReport,
          moderationCase,
          moderationInput,
        },
        responses: problemResponses,
        securitySchemes,
      },
    },
    { override: ({ jsonSchema, zodSchema }) => void Object.assign(jsonSchema, schemaAdditions.get(zodSchema)) },
  );
  for (const { get, post, put, patch, delete: remove } of Object.values(document.paths ?? {}))
    for (const parameter of [get, post, put, patch, remove].flatMap((operation) => operation?.parameters ?? [])) {
      const description = 'name' in parameter ? parameterDescriptions[parameter.name] : undefined;
      if (description !== undefined) Object.assign(parameter, { description });
    }
  return document;
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
