import * as fc from 'fast-check';
import { mostly } from './odd-values.ts';
import { placeholder } from './placeholders.ts';

/** The parts of a JSON schema that the OpenAPI document uses. */
export interface JsonSchema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: JsonSchema[];
  pattern?: string;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  items?: JsonSchema;
  minItems?: number;
  maxItems?: number;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  minProperties?: number;
}

export type Schemas = Readonly<Record<string, JsonSchema>>;

const words = fc.constantFrom(
  'hood',
  'filter',
  'Duct cleaning',
  'grease',
  'fan',
  '厨房',
  'مطبخ',
  '🧑‍🍳',
  '$120',
  'from $1,200',
);
const shortTexts = fc.array(words, { maxLength: 4 }).map((parts) => parts.join(' '));
const webUrls = fc.oneof(
  fc.constantFrom('', 'https://kitchen.example/a.png', 'HTTPS://kitchen.example', 'http://[2606:4700::1]/x?y#z'),
  placeholder('pictureUrl'),
);

/**
 * Values for properties for which a random value is almost never useful. For example, a random id is not the id of any
 * row.
 */
const valuesByName: Record<string, fc.Arbitrary<unknown> | undefined> = {
  serviceId: placeholder('service'),
  reviewId: placeholder('review'),
  email: placeholder('email'),
  img: webUrls,
  costomerImg: webUrls,
  phone: fc.constantFrom('', '+1 555 0100', '+49 (0)30 555 017'),
  website: fc.constantFrom('', 'https://ducts.example/', 'http://ducts.example:8080/?a=b'),
  url: placeholder('pictureUrl'),
  id: placeholder('privatePicture'),
  version: placeholder('version'),
  reason: words,
};

/**
 * Properties whose generated values are valid for only a few rows. The API rejects most requests with such a property,
 * so it is left out of at least four in five objects.
 */
const rarelyValid = new Set(['part', 'about']);

/** Creates values that match a schema. `name` is the name of the property or parameter with this schema. */
export function valuesOf(schema: JsonSchema, schemas: Schemas, name = ''): fc.Arbitrary<unknown> {
  const { $ref, anyOf, items, properties } = schema;
  if ($ref !== undefined) return valuesOf(schemas[$ref.split('/').at(-1) ?? ''] ?? {}, schemas, name);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const known = valuesByName[name];
  if (known) return known;
  if (anyOf) return fc.oneof(...anyOf.map((option) => valuesOf(option, schemas, name)));
  if (properties) {
    const values = Object.entries(properties).map(([key, value]) => {
      const valid = valuesOf(value, schemas, key);
      return [key, rarelyValid.has(key) ? mostly(undefined, 5, valid) : valid] as const;
    });
    const requiredKeys = [...(schema.required ?? []), ...['reason'].filter((key) => key in properties)];
    const objects = fc.record(Object.fromEntries(values), { requiredKeys });
    return objects.filter((value) => Object.keys(value).length >= (schema.minProperties ?? 0));
  }
  if (items) {
    const { minItems = 0, maxItems = 3 } = schema;
    const lists = fc.array(valuesOf(items, schemas), { minLength: minItems, maxLength: maxItems });
    return minItems === 0 ? mostly([], 3, lists) : lists;
  }
  switch (schema.type) {
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.integer({ min: schema.minimum ?? -1000, max: schema.maximum ?? 1000 });
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case undefined:
    default:
      return fc.constant(null);
  }
}

function textsOf({ pattern, maxLength }: JsonSchema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  if (maxLength === undefined) return shortTexts;
  const longest = fc.constantFrom('x', '🧑', 'ﷺ').map((unit) => unit.repeat(maxLength));
  return fc.oneof(
    { weight: 8, arbitrary: shortTexts.map((text) => text.slice(0, maxLength).toWellFormed()) },
    { weight: 1, arbitrary: longest },
  );
}
