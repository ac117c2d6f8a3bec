import type { Case } from './case.ts';
import { type OpenApiDocument, operationsOf, type Parameter, type Place, tokenOf } from './document.ts';
import type { Server } from './server.ts';

const forged = `${btoa('{"alg":"none","typ":"JWT"}')}.${btoa(`{"sub":"somebody","exp":${2 ** 31}}`)}.`;

/**
 * Creates test cases that send requests with invalid parameters, invalid bodies, forged tokens or no token. The OpenAPI
 * document forbids all these requests.
 */
export function inputCases({ call }: Server, document: OpenApiDocument): Case[] {
  return operationsOf(document).flatMap((place) => {
    const { method, operation } = place;
    const cases: Case[] = [];
    const rejects = (what: string, status: number, query = '', options = {}) => {
      const name = `${method.toUpperCase()} ${place.path} rejects ${what} with ${status}`;
      const target = `${addressOf(place)}${query}`;
      cases.push({ name, run: async () => void (await call(method, target, status, options)) });
    };

    if (tokenOf(operation) === 'accessToken' || tokenOf(operation) === 'firebaseIdToken') {
      const body = operation.requestBody ? { json: {} } : {};
      rejects('a request without a token', 401, '', body);
      rejects('a forged token', 401, '', { ...body, token: forged });
      // These test cases have no valid token, so they cannot test other inputs of this operation. The other groups test some
      // of them.
      return cases;
    }
    if (operation.requestBody) {
      rejects('a body with an unknown field', 400, '', { json: { 'no-such': 1 } });
      rejects('a body over 32 KB', 413, '', { json: { 'no-such': 'x'.repeat(40_000) } });
      rejects('a body that is not JSON', 415, '', { raw: 'no=such', type: 'application/x-www-form-urlencoded' });
      return cases;
    }
    rejects('an unknown parameter', 400, withQuery(place, { 'no-such': '1' }));
    for (const parameter of queryOf(place)) {
      rejects(`a repeated ${parameter.name}`, 400, `${withQuery(place, {})}&${parameter.name}=a&${parameter.name}=b`);
      rejects(`an operator in ${parameter.name}`, 400, withQuery(place, { [`${parameter.name}[$ne]`]: '' }));
      const invalid = invalidValueOf(parameter);
      if (invalid !== undefined)
        rejects(`an invalid ${parameter.name}`, 400, withQuery(place, { [parameter.name]: invalid }));
    }
    return cases;
  });
}

const queryOf = ({ operation }: Place) => (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');

/** Returns the path of an operation. The ids in the path are valid, but no row has them. */
const addressOf = ({ path }: Place) => path.replaceAll(/\{\w+\}/g, '0'.repeat(24));

/** Creates a query string with the given parameters, and with a valid value for each missing parameter that is required. */
function withQuery(place: Place, given: Record<string, string>): string {
  const required = queryOf(place).filter((parameter) => parameter.required && !(parameter.name in given));
  const entries = required.map(({ name }) => [name, '0'.repeat(24)]);
  return `?${new URLSearchParams([...entries, ...Object.entries(given)] as [string, string][]).toString()}`;
}

function invalidValueOf({ schema }: Parameter): string | undefined {
  if (schema.enum) return 'none-of-these';
  if (schema.pattern) return '!';
  return schema.maxLength === undefined ? undefined : 'x'.repeat(schema.maxLength + 1);
}
