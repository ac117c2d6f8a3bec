import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { type ContractEntry, contract } from '../src/index.ts';

const entries = Object.entries(contract) as [string, ContractEntry][];

describe.each(entries)('the contract of the route %s', (key, entry) => {
  const errors: readonly number[] = entry.errors;

  it('has a schema for exactly the parameters of its path', () => {
    const inPath = [...key.matchAll(/:(\w+)/g)].map(([, name]) => name);
    const schema = entry.params as z.ZodMiniObject | undefined;
    expect(Object.keys(schema?.shape ?? {})).toEqual(inPath);
  });

  it('lists the error 401 if and only if the route accepts a token', () => {
    expect(errors.includes(401)).toBe(entry.access !== 'public');
  });

  it('lists the errors 413 and 415 if and only if requests have a body', () => {
    expect(errors.includes(413) && errors.includes(415)).toBe(entry.body !== undefined || entry.takesPicture === true);
  });

  it('rejects unknown fields in parameters, query and body', () => {
    const schemas = [entry.params, entry.query, entry.body].filter((schema) => schema !== undefined);
    const found = schemas.map((schema) => z.safeParse(schema, { unknown: 'x' }).error?.issues.map(({ code }) => code));
    expect(found.filter((codes) => !codes?.includes('unrecognized_keys'))).toEqual([]);
  });
});
