import { type OpenApiDocument, operationsOf, type Parameter, type Place, tokenOf } from './document.ts';
import type { Case } from './kit.ts';
import type { Server } from './server.ts';

const forged = `${btoa('{"alg":"none","typ":"JWT"}')}.${btoa(`{"sub":"somebody","exp":${2 ** 31}}`)}.`;

/** What every operation must refuse, read off the document: odd parameters and bodies, missing and forged tokens. */
export function inputCases({ call }: Server, document: OpenApiDocument): Case[] {
  return operationsOf(document).flatMap((place) => {
    const { method, operation } = place;
    const cases: Case[] = [];
    const refuses = (what: string, status: number, query = '', options = {}) => {
      const name = `${method.toUpperCase()} ${place.path} refuses ${what} with ${status}`;
      const target = `${addressOf(place)}${query}`;
      cases.push({ name, run: async () => void (await call(method, target, status, options)) });
    };

    if (tokenOf(operation) === 'accessToken' || tokenOf(operation) === 'firebaseIdToken') {
      const body = operation.requestBody ? { json: {} } : {};
      refuses('nobody', 401, '', body);
      refuses('a forged token', 401, '', { ...body, token: forged });
      // Past the token there is no way in without one: what is behind it is tried as customers.
      return cases;
    }
    if (operation.requestBody) {
      refuses('a body it does not know', 400, '', { json: { 'no-such': 1 } });
      refuses('a body over 32 KB', 413, '', { json: { 'no-such': 'x'.repeat(40_000) } });
      refuses('a body that is no JSON', 415, '', { raw: 'no=such', type: 'application/x-www-form-urlencoded' });
      return cases;
    }
    refuses('a parameter it does not know', 400, withQuery(place, { 'no-such': '1' }));
    for (const parameter of queryOf(place)) {
      refuses(`a repeated ${parameter.name}`, 400, `${withQuery(place, {})}&${parameter.name}=a&${parameter.name}=b`);
      refuses(`an operator in ${parameter.name}`, 400, withQuery(place, { [`${parameter.name}[$ne]`]: '' }));
      const wrong = wrongFor(parameter);
      if (wrong !== undefined) refuses(`a wrong ${parameter.name}`, 400, withQuery(place, { [parameter.name]: wrong }));
    }
    return cases;
  });
}

const queryOf = ({ operation }: Place) => (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');

/** A concrete address: ids that fit, and name nothing. */
const addressOf = ({ path }: Place) => path.replaceAll(/\{\w+\}/g, '0'.repeat(24));

/** The query with what is required, and what is given over it. */
function withQuery(place: Place, given: Record<string, string>): string {
  const required = queryOf(place).filter((parameter) => parameter.required && !(parameter.name in given));
  const entries = required.map(({ name }) => [name, '0'.repeat(24)]);
  return `?${new URLSearchParams([...entries, ...Object.entries(given)] as [string, string][]).toString()}`;
}

function wrongFor({ schema }: Parameter): string | undefined {
  if (schema.enum) return 'none-of-these';
  if (schema.pattern) return '!';
  return schema.maxLength === undefined ? undefined : 'x'.repeat(schema.maxLength + 1);
}
