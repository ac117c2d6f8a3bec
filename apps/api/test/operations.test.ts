import { readFileSync } from 'node:fs';
import { contract } from '@rtr/shared';
import { describe, expect, test } from 'vitest';
import { describedSchemas } from '../src/operations/openapi.ts';
import { createTestApp } from './support/test-app.ts';

const { api, db, takeWarnings } = await createTestApp();

describe('health checks', () => {
  test('GET /healthz returns 200 while the process responds', async () => {
    const { headers, body } = await api.get('/healthz').expect(200);
    expect(body).toEqual({ status: 'alive' });
    expect(headers['cache-control']).toBe('no-cache');
  });

  test('GET /readyz returns 503 and names the missing indexes until they exist', async () => {
    const own = (await db.collection('reviews').indexes()).find(({ name }) => name === 'own');
    await db.collection('reviews').dropIndex('own');
    const { body } = await api.get('/readyz').expect(503);
    expect(body.detail).toContain('index reviews.own');
    expect(takeWarnings()).toHaveLength(1);
    await db.collection('reviews').createIndex(own?.key ?? {}, { name: 'own' });
    await api.get('/readyz').expect(200, { status: 'ready' });
  });
});

interface Schema {
  $ref?: string;
  [keyword: string]: unknown;
}
interface Operation {
  operationId: string;
  security: Record<string, string[]>[];
  parameters?: { in: string; name: string; required?: boolean; description?: string; schema: Schema }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { $ref?: string; content?: Record<string, { schema: Schema }> }>;
}
interface OpenApi {
  openapi: string;
  info: { description: string };
  paths: Record<string, Record<string, Operation>>;
  components: Record<string, Record<string, unknown>>;
}

/** The JSON Schema keywords whose subschemas define no fields. They only restrict the fields in `properties`. */
const conditions = new Set(['dependentSchemas', 'if', 'else']);

/** Returns the names of the fields without a description, at any depth. */
function undescribedFields(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { properties = {} } = node as { properties?: Record<string, Schema> };
  const own = Object.keys(properties).filter((name) => !properties[name]?.description);
  const others = Object.entries(node).filter(([key]) => !conditions.has(key));
  return [...own, ...others.flatMap(([, child]) => undescribedFields(child))];
}

describe('GET /openapi.json', async () => {
  const { body, headers } = await api.get('/openapi.json').expect(200);
  const document = body as OpenApi;
  const operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );

  test('returns an OpenAPI 3.1 document as JSON', () => {
    expect(headers['content-type']).toMatch(/^application\/json/);
    expect(document.openapi).toMatch(/^3\.1\.\d$/);
  });

  test('accepts a path with a trailing slash', async () => {
    await api.get('/openapi.json/').expect(200);
  });

  test('returns a document with every route of the contract and the health checks', () => {
    const routes = operations.map(
      ({ method, path }) => `${method.toUpperCase()} ${path.replaceAll(/{(\w+)}/g, ':$1')}`,
    );
    expect(routes.toSorted()).toEqual([...Object.keys(contract), 'GET /healthz', 'GET /readyz'].toSorted());
    expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(operations.length);
  });

  test('contains the list “Deliberate differences from the specification” of docs/differences.md, without changes', () => {
    const listIn = (text: string) => {
      const [, list = ''] = /Deliberate differences from[^]*?\n\n((?:(?:- |  ).*(?:\n|$))+)/.exec(text) ?? [];
      return list.trim().replaceAll('\n  ', ' ').split('\n');
    };
    const page = readFileSync(new URL('../../../docs/differences.md', import.meta.url), 'utf8');
    expect(listIn(document.info.description)).toEqual(listIn(page));
    expect(listIn(page).length).toBeGreaterThan(20);
  });

  test('returns a document without broken references', () => {
    const references = JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g);
    for (const [, reference = ''] of references) {
      const target = reference
        .slice(2)
        .split('/')
        .reduce<unknown>((place, step) => (place as Record<string, unknown>)[step], document);
      expect(target, reference).toBeTypeOf('object');
    }
  });

  test('describes the parameters, headers and body fields of routes', () => {
    const { parameters } = document.paths['/services']?.get ?? {};
    expect(parameters?.map(({ in: place, name, required = false }) => [place, name, required])).toEqual([
      ['query', 'limit', false],
      ['query', 'after', false],
      ['query', 'q', false],
      ['query', 'sort', false],
      ...['area', 'minRating', 'contact', 'photos'].map((name) => ['query', name, false]),
    ]);
    expect(parameters?.[0]?.schema).toMatchObject({ type: 'string', pattern: '^([1-9][0-9]?|100)$' });
    expect(document.paths['/review/{id}']?.patch?.parameters).toMatchObject([
      { in: 'path', name: 'id', required: true },
      { in: 'header', name: 'if-match' },
    ]);
    expect(document.components.schemas?.reviewEdit).toMatchObject({ minProperties: 1, additionalProperties: false });
    expect(document.components.schemas?.serviceInput).toMatchObject({
      properties: { img: { type: 'string', maxLength: 2048, pattern: expect.stringContaining('[hH]') } },
    });
  });

  test('has a description of each parameter and request header', () => {
    const parameters = operations.flatMap(({ operation }) => operation.parameters ?? []);
    expect(parameters.filter(({ description }) => !description).map(({ name }) => name)).toEqual([]);
  });

  test('has a description of each schema and each field', () => {
    const schemas = Object.entries(document.components.schemas as Record<string, Schema>);
    expect(schemas.filter(([, { description }]) => !description).map(([name]) => name)).toEqual([]);
    expect(undescribedFields(document)).toEqual([]);
  });

  test('describes only schemas and fields that exist', () => {
    const fieldsOf = ({ properties = {} }: { properties?: object }) => Object.keys(properties).toSorted();
    const { schemas = {} } = document.components;
    const inDocument = Object.entries(schemas).map(([name, schema]) => [name, fieldsOf(schema as object)]);
    const described = Object.entries(describedSchemas).map(([name, { fields = {} }]) => [
      name,
      fieldsOf({ properties: fields }),
    ]);
    expect(Object.fromEntries(described)).toEqual(Object.fromEntries(inDocument));
  });

  test('states the rules for the fields of a moderation action', () => {
    expect(document.components.schemas?.moderationInput).toMatchObject({
      if: { properties: { action: { const: 'dismiss' } } },
      else: { properties: { reason: { pattern: String.raw`\S` } }, required: ['reason'] },
    });
  });

  test.each(['/healthz', '/readyz'])('describes the response of the health check GET %s', async (path) => {
    const { body: response } = await api.get(path).expect(200);
    const [status] = Object.values(response as object);
    expect(document.paths[path]?.get?.responses).toMatchObject({
      200: { content: { 'application/json': { schema: { properties: { status: { const: status } } } } } },
    });
  });

  test('names the token that a route needs', () => {
    expect(document.paths['/services']?.get?.security).toEqual([]);
    expect(document.paths['/services']?.post?.security).toEqual([{ accessToken: [] }]);
    expect(document.paths['/review/{id}']?.get?.security).toEqual([{}, { accessToken: [] }]);
    expect(document.paths['/account']?.delete?.security).toEqual([{ firebaseIdToken: [] }]);
    expect(Object.keys(document.components.securitySchemes ?? {})).toEqual(['accessToken', 'firebaseIdToken']);
  });

  test('describes the error responses in the format application/problem+json', () => {
    expect(document.components.responses?.[404]).toMatchObject({
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/problem' } } },
    });
    expect(document.components.schemas?.problem).toMatchObject({ properties: { detail: { type: 'string' } } });
    expect(Object.keys(document.paths['/review']?.post?.responses ?? {})).toEqual([
      '201',
      '400',
      '401',
      '403',
      '404',
      '409',
      '413',
      '415',
      '422',
      '429',
      '500',
      '503',
    ]);
  });
});

describe('GET /docs', () => {
  test('returns a page whose Content-Security-Policy allows no other origins', async () => {
    const { headers, text } = await api.get('/docs').expect(200);
    expect(headers['content-type']).toMatch(/^text\/html/);
    expect(headers['content-security-policy']).toContain("script-src 'self'");
    expect(headers['content-security-policy']).not.toContain('http');
    const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(loaded).toContain('docs/swagger-ui-bundle.js');
    for (const address of loaded.filter((address) => !address.startsWith('data:')))
      await api.get(`/${address}`).expect(200);
  });

  test('redirects to the path without a trailing slash, where the relative URLs of the page are correct', async () => {
    const { headers } = await api.get('/docs/').expect(301);
    expect(new URL(headers.location ?? '', 'https://kitchen.example/api/docs/').pathname).toBe('/api/docs');
  });

  const path = '/docs/swagger-ui.css';

  test('returns 412 for a file of the page if If-Match or If-Unmodified-Since does not match', async () => {
    await api.get(path).set('If-Match', '"another"').expect(412);
    await api.get(path).set('If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT').expect(412);
  });

  test('ignores the Range header of a request for a file of the page', async () => {
    await api.get(path).set('Range', 'bytes=999999999-').expect(200);
  });

  test('returns 404 for files of the swagger-ui-dist package that the page does not need', async () => {
    for (const file of ['package.json', 'index.html', '..%2fpackage.json', 'swagger-initializer.js'])
      await api.get(`/docs/${file}`).expect(404);
  });
});
