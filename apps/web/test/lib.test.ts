import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { ageOf } from '../src/lib/age.ts';
import { parseForm } from '../src/lib/form.ts';
import { toPage } from '../src/lib/page.ts';
import { pictureAddress } from '../src/lib/picture-address.ts';
import { createQueryClient, removeInactive } from '../src/lib/query-client.ts';
import { originIn, safePath } from '../src/lib/safe-path.ts';

describe('the page to return to after a form', () => {
  test('keeps its search parameters, its hash and its history state', () => {
    const before = { pathname: '/services/1', search: '', hash: '' };
    const from = { pathname: '/review/1', search: '?a=b', hash: '#c', state: { from: before } };
    expect(originIn({ from })).toEqual({ to: '/review/1?a=b#c', state: { from: before } });
  });

  test('is the home page when the history state contains no page', () => {
    for (const state of [null, undefined, {}, 'text', { from: null }])
      expect(originIn(state)).toEqual({ to: '/', state: null });
  });

  test.each([
    '//evil.example/path',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    '/\r\n\\evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/./\\evil.example',
    '/./\\',
    '/%2e//',
    '/%2E//evil.example',
    '/%2e\\\\evil.example',
    '/..//evil.example',
    '/%2e%2e//evil.example',
    '/.%2E//evil.example',
    '/services/..//evil.example',
    '/services/%2e%2e/\\evil.example',
    '/a/b/../..//evil.example',
    '/.\t//evil.example',
    '//app.invalid//evil.example',
    '//customer@app.invalid:81//evil.example',
    '//[',
    'services',
    '',
    null,
    7,
    ['/services'],
  ])('is the home page when the given address is not an address within the app: %j', (path) => {
    expect(safePath(path)).toBe('/');
  });

  test.each([
    ['/services?q=//a&from=/.//a#//a', '/services?q=//a&from=/.//a#//a'],
    ['/%2f/evil.example', '/%2f/evil.example'],
    ['/%5cevil.example', '/%5cevil.example'],
    ['/@evil.example', '/@evil.example'],
    ['/services/./1', '/services/1'],
    ['/%2e\\about', '/about'],
  ])('is the given address in normalized form when it is an address within the app: %s', (path, expected) => {
    expect(safePath(path)).toBe(expected);
  });

  test('is never outside the app for all tested combinations of dots, slashes, encodings and control characters', () => {
    const parts = [
      '/',
      '\\',
      '.',
      '..',
      '%2e',
      '%2E',
      '%2f',
      '%5c',
      '\t',
      '\n',
      ' ',
      '@',
      ':',
      '?',
      '#',
      'evil.example',
    ];
    const pairs = parts.flatMap((one) => parts.map((other) => one + other));
    const origin = 'https://kitchen.example';
    const astray = pairs
      .flatMap((start) => pairs.map((end) => `/${start}${end}`))
      .filter((path) => {
        const safe = safePath(path);
        return /^[/\\]{2}/.test(safe) || new URL(safe, origin).origin !== origin || safePath(safe) !== safe;
      });
    expect(astray).toEqual([]);
  });
});

test('the field for a picture address accepts the site’s own pictures, with the origin of the address bar or with the public origin of the site', () => {
  const field = pictureAddress('http://127.0.0.1:4000');
  const accepts = (origin: string) => z.safeParse(field, `${origin}/pictures/avatar-2.svg`).success;
  expect(['http://localhost:3000', 'http://127.0.0.1:4000', 'http://localhost:4000'].map(accepts)).toEqual([
    true,
    true,
    false,
  ]);
});

describe('parseForm', () => {
  const schema = z.object({
    name: z.string().check(z.minLength(1, { error: 'Say a name.' }), z.maxLength(3, { error: 'Say it shorter.' })),
    text: z.string(),
  });

  test('returns the values of a form exactly as typed', () => {
    const form = new FormData();
    form.set('name', ' a ');
    form.set('text', ' b\n');
    expect(parseForm(schema, form)).toEqual({ ok: true, values: { name: ' a ', text: ' b\n' } });
  });

  test('returns the error of each invalid field under the name of the field', () => {
    const form = new FormData();
    form.set('name', '');
    form.set('text', '');
    expect(parseForm(schema, form)).toEqual({ ok: false, errors: { name: 'Say a name.' } });
  });
});

test.each([
  ['2026-11-21T11:59:31Z', '29 seconds ago'],
  ['2026-11-21T11:58:59Z', '1 minute ago'],
  ['2026-11-20T12:00:00Z', 'yesterday'],
  ['2026-11-01T12:00:00Z', '2 weeks ago'],
  ['2024-11-01T12:00:00Z', '2 years ago'],
  ['2026-11-21T12:00:30Z', 'now'],
])('at 2026-11-21T12:00:00Z, the age of the timestamp %s is shown as “%s”', (timestamp, age) => {
  expect(ageOf(timestamp, Date.parse('2026-11-21T12:00:00Z'))).toBe(age);
});

test('the cursor of the next page of a list is read from the Link header of the response', () => {
  const headers = new Headers({ Link: '<?limit=2&after=abc%3D>; rel="next"', 'X-Total-Count': '7' });
  expect(toPage({ data: [1, 2], headers })).toEqual({ rows: [1, 2], total: 7, after: 'abc=' });
  expect(toPage({ data: [1, 2], headers: new Headers() })).toEqual({ rows: [1, 2], total: null, after: undefined });
});

test('a page of a list is unchanged after it is converted to JSON and back', () => {
  for (const headers of [new Headers(), new Headers({ 'X-Total-Count': '2' })]) {
    const page = toPage({ data: [1, 2], headers });
    expect(JSON.parse(JSON.stringify(page))).toEqual(page);
  }
});

test('removeInactive removes cached data that is not on screen, but does not cancel the request of a page that is just opening, and invalidates its result', async () => {
  const queries = createQueryClient();
  queries.setQueryData(['old'], 'data');
  const { promise, resolve } = Promise.withResolvers<string>();
  const read = queries.ensureQueryData({ queryKey: ['opening'], queryFn: () => promise });
  removeInactive(queries);
  expect(queries.getQueryData(['old'])).toBeUndefined();
  resolve('data');
  expect(await read).toBe('data');
  await expect.poll(() => queries.getQueryState(['opening'])?.isInvalidated).toBe(true);
});
