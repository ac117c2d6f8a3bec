import { strict as assert } from 'node:assert';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type OpenApiDocument, operationAt } from './document.ts';

export interface ReceivedResponse {
  status: number;
  headers: Headers;
  /** The decoded body. */
  text: string;
}

/** A response in an OpenAPI document, or a reference to one. */
interface DocumentedResponse {
  $ref?: string;
  content?: Record<string, { schema?: object }>;
}

/**
 * Creates a function that checks a response against the OpenAPI document: its status, its content type and its body. It also
 * checks what all responses of the API have in common. The function returns the parsed body if it is JSON. It throws an
 * AssertionError if the response violates the document.
 */
export function createResponseCheck(document: OpenApiDocument) {
  // The strict mode of Ajv would reject the keywords of OpenAPI that are not in JSON Schema.
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'document');

  return (method: string, path: string, response: ReceivedResponse): unknown => {
    const { status, headers, text } = response;
    const place = `${method} ${path.slice(0, 120)} responded with ${status}`;
    const type = headers.get('Content-Type')?.split(';')[0] ?? '';
    // A response to HEAD has no body. Apart from this, it is the same as the response to GET.
    const isHead = method === 'HEAD';
    const body = !isHead && /[/+]json$/.test(type) ? parse(text, place) : undefined;

    const found = operationAt(document, isHead ? 'get' : method.toLowerCase(), path);
    if (found && status !== 304) {
      const { responses } = found.operation;
      assert(String(status) in responses, `${place}, a status that the document does not list`);
      const pointer = ['paths', found.path, found.method, 'responses', String(status)];
      checkContent(pointer, responses[status] ?? {});
    }
    if (status >= 400) checkProblem(response, body, { place, isHead });
    assert(headers.get('X-Request-Id'), `${place} without X-Request-Id`);
    return body;

    function checkContent(pointer: string[], { $ref, content }: DocumentedResponse): void {
      if ($ref !== undefined) {
        const target = $ref.replace(/^#\//, '').split('/');
        checkContent(target, target.reduce<object>(childOf, document));
        return;
      }
      if (content === undefined) {
        assert.equal(text, '', `${place} with a body that the document does not list`);
        return;
      }
      assert(type in content, `${place} with another content type: ${type}`);
      if (isHead || content[type]?.schema === undefined) return;
      const schema = [...pointer, 'content', type, 'schema'];
      const ref = `document#/${schema.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
      const validate = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref });
      assert(
        validate(body),
        `${place}, with a body that does not match its schema: ${ajv.errorsText(validate.errors)}`,
      );
    }
  };
}

const childOf = (parent: object, name: string) => (parent as Record<string, object>)[name] ?? {};

function checkProblem(
  { status, headers }: ReceivedResponse,
  body: unknown,
  { place, isHead }: { place: string; isHead: boolean },
): void {
  assert.match(
    headers.get('Content-Type') ?? '',
    /^application\/problem\+json/,
    `${place} without application/problem+json`,
  );
  if (status === 401)
    assert.match(headers.get('WWW-Authenticate') ?? '', /^Bearer/, `${place} without WWW-Authenticate`);
  if (status === 429 || status === 503)
    assert.match(headers.get('Retry-After') ?? '', /^\d+$/, `${place} without Retry-After`);
  if (isHead) return;
  const { status: bodyStatus, title, detail, instance, ...rest } = body as Record<string, unknown>;
  assert.equal(bodyStatus, status, `${place} with another status in the body`);
  for (const text of [title, detail]) assert(typeof text === 'string' && text, `${place} without a title or a detail`);
  assert.equal(instance, headers.get('X-Request-Id'), `${place} with an instance that is not the request id`);
  assert.doesNotMatch(
    JSON.stringify([detail, rest]),
    /\bat .*:\d+:\d+|MongoServerError|eyJ[\w-]+\./,
    `${place} with internal details`,
  );
}

function parse(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new assert.AssertionError({ message: `${place} with a body that is not JSON: ${text.slice(0, 200)}` });
  }
}
