import type { Parameter } from '@rtr/conformance/document';
import * as fc from 'fast-check';
import { encodeForUrl, mostly, oddTexts } from './odd-values.ts';
import { type PlaceholderKind, placeholder } from './placeholders.ts';
import { type JsonSchema, type Schemas, valuesOf } from './schema-values.ts';

/** Creates paths for a template such as '/services/{id}'. Most ids exist. */
export function pathsOf(template: string): fc.Arbitrary<string> {
  // Only hidden content has an appeal.
  const isAppeal = template.endsWith('/appeal');
  const kinds: Record<string, PlaceholderKind> = {
    services: isAppeal ? 'hiddenService' : 'service',
    listers: 'lister',
    review: isAppeal ? 'hiddenReview' : 'review',
    requests: 'conversation',
    messages: 'message',
    moderation: 'case',
    pictures: 'picture',
    p: 'privatePicture',
    unsubscribe: 'unsubscribeKey',
  };
  // The last part before the id that is a key of `kinds` decides, for example 'listers' in '/listers/{id}/services'.
  const noun = (template.split('{')[0] ?? '').split('/').findLast((part) => part in kinds) ?? '';
  const ids = fc.oneof(
    { weight: 10, arbitrary: placeholder(kinds[noun] ?? 'service') },
    { weight: 1, arbitrary: fc.stringMatching(/^[0-9a-fA-F]{24}$/) },
    {
      weight: 1,
      arbitrary: fc.oneof(
        fc.constantFrom('', '%', '%2e%2e', '%2F', '%00', '%FF', '%ED%A0%80'),
        oddTexts.map(encodeForUrl),
      ),
    },
  );
  const paths = ids.map((id) => template.replace(/\{\w+\}/, () => id));
  const change = mostly((path: string) => path, 20, fc.constantFrom(...pathChanges));
  return fc.tuple(paths, change).map(([path, apply]) => apply(path));
}

const pathChanges = [
  (path: string) => `${path}/`,
  (path: string) => `/${path}`,
  (path: string) => path.replace(/^\/\w+/, (start) => start.toUpperCase()),
  (path: string) => path.replace(/^\/\w+/, (start) => start.replaceAll('e', '%65')),
  (path: string) => `${path}/..`,
  (path: string) => `${path};a=b`,
];

/** Creates query strings. Most of them contain valid values of the parameters. */
export function queriesOf(parameters: readonly Parameter[], schemas: Schemas): fc.Arbitrary<string> {
  const pairs = parameters.map((parameter) => {
    const { name, required = false, schema } = parameter;
    const value = fc.oneof(
      { weight: name === 'after' ? 0 : 15, arbitrary: valuesOf(schema as JsonSchema, schemas, name).map(String) },
      { weight: 1, arbitrary: oddTexts },
    );
    const pair = value.map((text) => `${name}=${encodeForUrl(text)}`);
    if (required) return fc.oneof({ weight: 20, arbitrary: pair }, { weight: 1, arbitrary: fc.constant('') });
    return mostly('', name === 'after' ? 15 : 2, pair);
  });
  const additions = fc.oneof(
    { weight: 20, arbitrary: fc.constant('') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('?', '&&==', 'a', '%', '%ZZ', '=b', '__proto__=a', 'limit=5&limit=6', '#a', '%00=%00'),
    },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...parameters.map(({ name }) => `${name}[$ne]=`), 'a[b][c]=d', 'q[]=a', 'email.a=b'),
    },
    { weight: 1, arbitrary: oddTexts.map((text) => `${encodeForUrl(text)}=1`) },
  );
  return fc.tuple(...pairs, additions).map((parts) => {
    const given = parts.filter((part) => part !== '');
    return given.length === 0 ? '' : `?${given.join('&')}`;
  });
}
