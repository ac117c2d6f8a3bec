import type { Parameter } from '@rtr/conformance/document';
import * as fc from 'fast-check';
import { mostly, oddHeaderValues } from './odd-values.ts';

export type HeaderLine = readonly [name: string, value: string];

/** Creates the headers that the OpenAPI document lists among the parameters of an operation. */
export function headersOf(parameters: readonly Parameter[]): fc.Arbitrary<HeaderLine[]> {
  const lines = parameters
    .filter(({ in: where }) => where === 'header')
    .map(({ name }) => {
      const value = fc.oneof(
        fc.constantFrom('*', 'key-1', 'key-2', 'W/"1-a"', '"1700000000000-a", *'),
        oddHeaderValues,
      );
      return mostly(
        [],
        4,
        value.map((text): HeaderLine[] => [[name, text]]),
      );
    });
  return fc.tuple(...lines).map((found) => found.flat());
}

const headerNames = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Cache-Control',
  'Cookie',
  'If-None-Match',
  'If-Modified-Since',
  'If-Match',
  'If-Unmodified-Since',
  'If-Range',
  'Range',
  'Origin',
  'Referer',
  'User-Agent',
  'X-Request-Id',
  'X-Forwarded-For',
  'X-Forwarded-Proto',
  'X-HTTP-Method-Override',
  'Access-Control-Request-Method',
  'Upgrade',
  'Idempotency-Key',
  'Traceparent',
];
const usualHeaders: readonly HeaderLine[] = [
  ['Accept-Encoding', 'gzip'],
  ['Accept-Encoding', 'br, gzip, *'],
  ['Accept-Encoding', 'gzip;q=0, br;q=0, *;q=0'],
  ['Cache-Control', 'no-cache'],
  ['If-None-Match', '*'],
  ['If-Match', '"a"'],
  ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
  ['X-Request-Id', 'a.b-c_1'],
  ['Range', 'bytes=0-1'],
  ['Range', 'bytes=999999999-'],
  ['Range', 'items=1'],
  ['X-Forwarded-For', '::ffff:1.2.3.4, ::1%eth0'],
  ['X-Forwarded-For', 'unknown, "[::1]:80"'],
  ['Expect', '100-continue'],
  ['Connection', 'close'],
];
/** Headers that the HTTP server of Node.js rejects before the request reaches the code of the API. */
const rejectedHeaders: readonly HeaderLine[] = [
  ['Expect', 'a miracle'],
  ['Cookie', 'a'.repeat(20_000)],
];

/** Headers that any request can have. Some of them are repeated. */
export const otherHeaders: fc.Arbitrary<HeaderLine[]> = fc
  .record({
    lines: mostly(
      [],
      3,
      fc.array(
        fc.oneof(
          { weight: 10, arbitrary: fc.constantFrom(...usualHeaders) },
          { weight: 10, arbitrary: fc.tuple(fc.constantFrom(...headerNames), oddHeaderValues) },
          { weight: 1, arbitrary: fc.constantFrom(...rejectedHeaders) },
        ),
        { minLength: 1, maxLength: 4 },
      ),
    ),
    isRepeated: mostly(false, 5, fc.constant(true)),
  })
  .map(({ lines, isRepeated }) => (isRepeated ? [...lines, ...lines] : lines));
