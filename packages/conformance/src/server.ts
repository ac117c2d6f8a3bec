import { strict as assert } from 'node:assert';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Method, type OpenApiDocument, operationAt } from './document.ts';

export interface Call {
  token?: string | undefined;
  headers?: Record<string, string>;
  json?: unknown;
  raw?: string;
  type?: string;
}

export interface CheckedResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

export interface Server {
  /**
   * Sends a request and checks the response against the OpenAPI document. Throws an AssertionError if the response violates
   * the document.
   */
  call(method: Method, path: string, status: number, call?: Call): Promise<CheckedResponse>;
}

/** Creates a client for the API at `url`. The client checks every response against the OpenAPI document. */
export function connect(url: string, document: OpenApiDocument): Server {
  // The strict mode of Ajv would reject the keywords of OpenAPI that are not in JSON Schema.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'document');

  function check(pointer: string[], value: unknown, place: string): void {
    const ref = `document#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
    const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref });
    assert(validate(value), `${place}, with a body that does not match its schema: ${ajv.errorsText(validate.errors)}`);
  }

  return {
    async call(method, path, status, { token, headers, json, raw, type = 'application/json' } = {}) {
      const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
      const response = await fetch(`${url}${path}`, {
        method: method.toUpperCase(),
        headers: {
          ...(body !== undefined && { 'Content-Type': type }),
          ...(token !== undefined && { Authorization: `Bearer ${token}` }),
          ...headers,
        },
        ...(body !== undefined && { body }),
        redirect: 'manual',
        signal: AbortSignal.timeout(30_000),
      });
      const text = await response.text();
      const place = `${method.toUpperCase()} ${path.slice(0, 120)} responded with ${response.status}`;
      assert.equal(response.status, status, `${place}; expected ${status}. ${text.slice(0, 300)}`);
      const checked = { status, headers: response.headers, body: text ? parse(text, place) : undefined };

      const found = operationAt(document, method, path);
      if (found && status !== 304) {
        const { responses } = found.operation;
        assert(String(status) in responses, `${place}, a status that the document does not list`);
        if (status < 400 && JSON.stringify(responses[status]).includes('application/json')) {
          assert.match(
            response.headers.get('Content-Type') ?? '',
            /^application\/json/,
            `${place} with another content type`,
          );
          const pointer = ['paths', found.path, method, 'responses', String(status)];
          check([...pointer, 'content', 'application/json', 'schema'], checked.body, place);
        }
      }
      if (status >= 400) checkProblem(checked, place);
      assert(response.headers.get('X-Request-Id'), `${place} without X-Request-Id`);
      return checked;
    },
  };
}

function checkProblem({ status, headers, body }: CheckedResponse, place: string): void {
  assert.match(
    headers.get('Content-Type') ?? '',
    /^application\/problem\+json/,
    `${place} without application/problem+json`,
  );
  const { status: bodyStatus, title, detail, instance, ...rest } = body as Record<string, unknown>;
  assert.equal(bodyStatus, status, `${place} with another status in the body`);
  for (const text of [title, detail]) assert(typeof text === 'string' && text, `${place} without a title or a detail`);
  assert.equal(instance, headers.get('X-Request-Id'), `${place} with an instance that is not the request id`);
  assert.doesNotMatch(
    JSON.stringify([detail, rest]),
    /\bat .*:\d+:\d+|MongoServerError|eyJ[\w-]+\./,
    `${place} with internal details`,
  );
  if (status === 401)
    assert.match(headers.get('WWW-Authenticate') ?? '', /^Bearer/, `${place} without WWW-Authenticate`);
  if (status === 429 || status === 503)
    assert.match(headers.get('Retry-After') ?? '', /^\d+$/, `${place} without Retry-After`);
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new assert.AssertionError({ message: `${place} with a body that is not JSON: ${text.slice(0, 200)}` });
  }
}
