import * as fc from 'fast-check';

/** Half of a surrogate pair. JSON can contain it as an escape, but UTF-8 cannot contain it. */
const loneSurrogates = ['\ud800', '\udfff', 'a\udc00b', '\ud83d'];

const knownTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\n',
  '﻿',
  '\u2028',
  '‮evil‬',
  '‏',
  '​',
  'مرحبا بالعالم',
  'שלום',
  'ﷺ',
  'straße',
  'İstanbul',
  'ﬁlter',
  '厨房',
  '🧑‍🍳',
  'é',
  '́',
  '__proto__',
  'constructor',
  'toString',
  '$ne',
  '$where',
  'a.b',
  '..',
  '../..',
  '%00',
  '%',
  '[]',
  '*',
  '\\',
  'null',
  'undefined',
  'NaN',
  '-1',
  '0',
  '1e309',
  '0x1f',
  'true',
  '9'.repeat(40),
  '(a+)+$',
  '<script>',
  "' OR 1=1",
];

/** Texts that repeat one character, or 'hood ', up to 12,000 times. */
const longTexts = fc
  .tuple(
    fc.constantFrom('a', 'é', '🧑', '\ud800', '\u0301', 'ﷺ', '\0', ' ', '(', '/', '9', 'hood '),
    fc.integer({ min: 1, max: 12_000 }),
  )
  .map(([unit, count]) => unit.repeat(count));

/** Texts that programs often handle wrongly. */
export const oddTexts: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...knownTexts, ...loneSurrogates) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 60 }) },
  { weight: 1, arbitrary: longTexts },
);

const knownValues: readonly unknown[] = [
  null,
  true,
  false,
  -0,
  -1,
  1.5,
  2 ** 53,
  1e308,
  5e-324,
  [],
  {},
  [[]],
  [null],
  { $ne: null },
  { $gt: '' },
  { $where: 'sleep(1000)' },
  { length: 1e9 },
  { toString: 1 },
  // `JSON.parse` creates a property with the name `__proto__`. An object literal would set the prototype instead.
  JSON.parse('{"__proto__":{"title":"Hood"}}'),
  JSON.parse(`${'['.repeat(2000)}${']'.repeat(2000)}`),
  Array.from({ length: 1000 }, () => null),
];

/** JSON values that programs often handle wrongly. */
export const oddValues: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...knownValues) },
  { weight: 2, arbitrary: oddTexts },
  { weight: 1, arbitrary: fc.jsonValue({ stringUnit: 'binary' }) },
);

/** Values of HTTP headers. They contain only characters that `node:http` sends. */
export const oddHeaderValues: fc.Arbitrary<string> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('', '*', ',', ',,,', ';', '"', '=', 'q=0', '\t', 'ÿ', '-1', '0', '1e99', '__proto__'),
  },
  {
    weight: 2,
    arbitrary: fc.string({
      unit: fc
        .oneof(fc.integer({ min: 0x20, max: 0x7e }), fc.integer({ min: 0x80, max: 0xff }))
        .map((code) => String.fromCharCode(code)),
      maxLength: 100,
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom('a', ',', '"', ' ,', 'a=b;', 'ÿ', 'W/"a",'), fc.integer({ min: 1, max: 2000 }))
      .map(([unit, count]) => unit.repeat(count)),
  },
);

/** Usually creates `usual`. About once in `rarity` times, creates one of `others`. */
export function mostly<T, U>(usual: U, rarity: number, others: fc.Arbitrary<T>): fc.Arbitrary<T | U> {
  return fc.oneof({ weight: rarity - 1, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
}

/**
 * The maximum length of a text in a URL, before percent-encoding. Node.js accepts at most 16 KB, and the encoded text
 * can be nine times as long.
 */
const maxUrlTextLength = 1500;

/**
 * Cuts a text to the maximum length, and percent-encodes it for a URL. Encodes a lone surrogate as invalid UTF-8, as a
 * faulty client does.
 */
export function encodeForUrl(text: string): string {
  return text
    .slice(0, maxUrlTextLength)
    .split(/([\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])/)
    .map((part, index) => (index % 2 === 0 ? encodeURIComponent(part) : '%ED%A0%80'))
    .join('');
}
